"""aiosqlite: python main.py"""
import asyncio
import os

import aiosqlite

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


async def main():
    async with aiosqlite.connect(":memory:") as db:
        await db.enable_load_extension(True)
        await db.load_extension(EXTENSION)
        await db.enable_load_extension(False)

        await db.executescript(SETUP)

        async def rows(sql, parameters=()):
            return [value for (value,) in await db.execute_fetchall(sql, parameters)]

        print("SQLite", *await rows("select sqlite_version()"))
        print(*await rows(JSON))
        print(*await rows(WINDOW), sep="\n")
        print(*await rows(NESTED, (2,)))
        async with db.execute(STREAM) as pieces:
            async for (piece,) in pieces:
                print(piece, end="")


asyncio.run(main())
