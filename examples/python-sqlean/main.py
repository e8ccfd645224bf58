"""sqlean.py: Python's sqlite3 with a SQLite and extensions of its own: python main.py"""
import os

import sqlean as sqlite3

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

db = sqlite3.connect(":memory:")
db.enable_load_extension(True)
db.load_extension(EXTENSION)
db.enable_load_extension(False)

db.executescript(SETUP)
print("SQLite", db.execute("select sqlite_version()").fetchone()[0])
print(db.execute(JSON).fetchone()[0])
for (names,) in db.execute(WINDOW):
    print(names)
print(db.execute(NESTED, (2,)).fetchone()[0])
for (piece,) in db.execute(STREAM):
    print(piece, end="")
