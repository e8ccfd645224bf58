"""apsw: python main.py"""
import os

import apsw

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

db = apsw.Connection(":memory:")
db.enable_load_extension(True)
db.load_extension(EXTENSION)
db.enable_load_extension(False)

db.execute(SETUP)
print("SQLite", apsw.sqlite_lib_version())
print(db.execute(JSON).get)
for (names,) in db.execute(WINDOW):
    print(names)
print(db.execute(NESTED, (2,)).get)
for (piece,) in db.execute(STREAM):
    print(piece, end="")
