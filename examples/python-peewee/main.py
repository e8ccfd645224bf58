"""peewee: python main.py"""
import os

from peewee import SqliteDatabase

EXTENSION = os.environ.get("RESQ_EXTENSION", "./libresq")
SETUP = """
    create table users (id integer primary key, name text, photo blob);
    insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null);
    create table orders (user integer, item text);
    insert into orders values (2, 'tea'), (2, 'cup');
"""
JSON = "select resq_json('id', id, 'name', name, 'photo', photo) from users"
WINDOW = "select resq_json(name) over (order by id rows 1 preceding) from users"
NESTED = """
    select resq_query('
      select id, name, resq_query(''select item from orders where user = ?'', id) as "orders:json"
      from users where id = ?', ?)
"""
STREAM = "select piece from resq_stream('select id, name from users order by id')"

db = SqliteDatabase(":memory:")
db.load_extension(EXTENSION)

for statement in SETUP.split(";"):
    db.execute_sql(statement)
print("SQLite", db.execute_sql("select sqlite_version()").fetchone()[0])
print(db.execute_sql(JSON).fetchone()[0])
for (names,) in db.execute_sql(WINDOW):
    print(names)
print(db.execute_sql(NESTED, (2,)).fetchone()[0])
for (piece,) in db.execute_sql(STREAM):
    print(piece, end="")
