"""Django: a signal gives every new connection its functions. python main.py"""
import os

import django
from django.conf import settings
from django.db import connection
from django.db.backends.signals import connection_created

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
      from users where id = ?', %s)
"""
STREAM = "select piece from resq_stream('select id, name from users order by id')"

settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}})
django.setup()


def load(connection, **_):
    connection.connection.enable_load_extension(True)
    connection.connection.load_extension(EXTENSION)
    connection.connection.enable_load_extension(False)


connection_created.connect(load)

with connection.cursor() as db:
    for statement in SETUP.split(";"):
        db.execute(statement)
    print("SQLite", db.execute("select sqlite_version()").fetchone()[0])
    print(db.execute(JSON).fetchone()[0])
    for (names,) in db.execute(WINDOW):
        print(names)
    # Django writes parameters as %s.
    print(db.execute(NESTED, [2]).fetchone()[0])
    for (piece,) in db.execute(STREAM):
        print(piece, end="")
