# RSQLite: Rscript main.R
suppressPackageStartupMessages(library(RSQLite))

extension <- Sys.getenv("RESQ_EXTENSION", "./libresq")
db <- dbConnect(SQLite(), ":memory:", loadable.extensions = TRUE)
invisible(dbGetQuery(db, "select load_extension(?)", list(extension)))

for (sql in c(
  "create table users (id integer primary key, name text, photo blob)",
  "insert into users values (1, 'Ada', x'00ff10'), (2, '\u0411\u043e\u0440\u0438\u0441', null)",
  "create table orders (user integer, item text)",
  "insert into orders values (2, 'tea'), (2, 'cup')"
)) invisible(dbExecute(db, enc2utf8(sql)))

show <- function(sql, end = "\n", parameters = NULL) {
  for (text in dbGetQuery(db, sql, parameters)[[1]]) cat(enc2utf8(text), end, sep = "")
}
show("select 'SQLite ' || sqlite_version()")
show("select resq_json('id', id, 'name', name, 'photo', photo) from users")
show("select resq_json(name) over (order by id rows 1 preceding) from users")
show("select resq_query('
  select id, name, resq_query(''select item from orders where user = ?'', id) as \"orders:json\"
  from users where id = ?', ?)", parameters = list(2L))
show("select piece from resq_stream('select id, name from users order by id')", "")
dbDisconnect(db)
