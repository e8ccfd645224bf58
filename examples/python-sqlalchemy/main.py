"""SQLAlchemy: an event gives every new connection of the pool its functions. python main.py"""
import os

from sqlalchemy import create_engine, event

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

engine = create_engine("sqlite://")


@event.listens_for(engine, "connect")
def load(connection, _record):
    connection.enable_load_extension(True)
    connection.load_extension(EXTENSION)
    connection.enable_load_extension(False)


with engine.connect() as db:
    for statement in SETUP.split(";"):
        db.exec_driver_sql(statement)
    print("SQLite", db.exec_driver_sql("select sqlite_version()").scalar())
    print(db.exec_driver_sql(JSON).scalar())
    for (names,) in db.exec_driver_sql(WINDOW):
        print(names)
    print(db.exec_driver_sql(NESTED, (2,)).scalar())
    for (piece,) in db.exec_driver_sql(STREAM):
        print(piece, end="")
