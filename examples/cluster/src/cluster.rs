//! What the node, the demonstration and the tests share: where nodes are, and what they are asked.

use serde::{Deserialize, Serialize};

pub mod processes;

/// A node's ports: Raft, hiqlite's API and HTTP, one after the other.
#[derive(Clone, Copy)]
pub struct Address {
    pub first_port: u16,
    pub id: u16,
}

impl Address {
    fn port(self, kind: u16) -> String {
        format!("127.0.0.1:{}", self.first_port + kind * 10 + self.id)
    }

    pub fn raft(self) -> String {
        self.port(0)
    }

    pub fn api(self) -> String {
        self.port(1)
    }

    pub fn http(self) -> String {
        self.port(2)
    }
}

#[derive(Serialize, Deserialize)]
pub struct Order {
    pub id: i64,
    pub user: i64,
    pub item: String,
    pub price: f64,
}

/// The statements that a node answers by `/read/NAME`: one row with one column, `document`; $1 is the most rows.
pub const READS: &[(&str, &str)] = &[
    ("users", "select resq_query('select id, name, photo from users order by id limit ?', $1) as document"),
    (
        "orders",
        "select resq_query('select o.id, name, item, price, details as \"details:json\"
             from orders o join users u on u.id = o.user order by o.id limit ?', $1) as document",
    ),
    (
        "columns",
        "select resq_columns('item', item, 'orders', orders, 'revenue', revenue) as document from (
             select item, count(*) as orders, sum(price) as revenue from orders group by item order by item limit $1)",
    ),
    (
        "window",
        "select resq_json(last) as document from (
             select resq_json(price) over (order by id rows 2 preceding) as last from orders order by id limit $1)",
    ),
    // What the replicated statements made: a report, a generated column, an index on a document.
    ("report", "select document from reports where name = 'revenue' and $1"),
    ("generated", "select resq_json(photo_base64) as document from (select photo_base64 from users order by id limit $1)"),
    (
        "index",
        "select resq_object('id', id, 'name', name) as document from users
         where resq_object('id', id, 'name', name) = resq_object('id', 4320, 'name', 'Борис 4320') and $1",
    ),
    ("count", "select resq_object('orders', count(*), 'least', min(id), 'greatest', max(id)) as document from orders where $1"),
    ("ids", "select resq_json(id) as document from (select id from orders order by id desc limit $1)"),
    // Indexes and CHECKs of this node's file, made by resq, against what resq makes of the rows now.
    (
        "integrity",
        "select resq_object('integrity', resq_json(integrity_check)) as document from pragma_integrity_check where $1",
    ),
    ("debug", "select resq_debug() as document where $1"),
];

pub fn read(name: &str) -> Option<&'static str> {
    READS.iter().find(|(known, _)| *known == name).map(|(_, sql)| *sql)
}
