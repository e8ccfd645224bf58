//! `/read/users` without resq: rows, structs, serde_json. To compare; nothing else uses it.

use base64::prelude::{BASE64_STANDARD, Engine};
use hiqlite::{Client, Error, Row};
use serde::Serialize;

#[derive(Serialize)]
struct User {
    id: i64,
    name: String,
    photo: String,
}

impl TryFrom<&mut Row<'_>> for User {
    type Error = Error;
    fn try_from(row: &mut Row<'_>) -> Result<Self, Error> {
        Ok(Self {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            photo: BASE64_STANDARD.encode(row.try_get::<Vec<u8>>("photo")?),
        })
    }
}

pub async fn users(client: &Client, limit: u32) -> Result<Vec<u8>, Error> {
    let sql = "select id, name, photo from users order by id limit $1";
    let users: Vec<Result<User, Error>> = client.query_try_map(sql, vec![i64::from(limit).into()]).await?;
    let users: Vec<User> = users.into_iter().collect::<Result<_, _>>()?;
    serde_json::to_vec(&users).map_err(|error| Error::Error(error.to_string().into()))
}
