"""Python and the sqlite3 shell against one resq_query: hosts.py DATABASE EXTENSION TABLE…, see hosts.sh.

Ways take turns, the order flips every round, CPU time counts, and of all rounds the 25th percentile."""
import base64
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time

try:
    import orjson
except ImportError:
    orjson = None

database, extension, *tables = sys.argv[1:]
ROUNDS = 13
db = sqlite3.connect(database)
db.enable_load_extension(True)
db.load_extension(extension)


def plain(value):
    return base64.b64encode(value).decode() if type(value) is bytes else value


def rows(table):
    cursor = db.execute(f"select * from {table}")
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, map(plain, row))) for row in cursor]


def one(sql):
    return db.execute(sql).fetchone()[0]


def shell(*arguments):
    subprocess.run(["sqlite3", "-readonly", *arguments], stdout=subprocess.DEVNULL, check=True)


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compare(ways, clock):
    """Seconds of each way."""
    times = [[] for _ in ways]
    for way in ways:
        way()
    for turn in range(ROUNDS):
        order = range(len(ways))
        for index in order if turn % 2 == 0 else reversed(order):
            start = clock()
            ways[index]()
            times[index].append(clock() - start)
    return [sorted(way)[ROUNDS // 4] for way in times]


def python(table):
    query = f"resq_query('select * from {table}')"
    wanted = one(f"select {query}")
    assert json.loads(wanted) == rows(table)
    assert one(f"select cast({query} as blob)") == wanted.encode()
    ways = [
        lambda: one(f"select {query}"),
        lambda: one(f"select cast({query} as blob)"),
        lambda: json.dumps(rows(table)),
    ]
    if orjson:
        ways.append(lambda: orjson.dumps(rows(table)))
    text, *others = compare(ways, time.thread_time)
    return [other / text for other in others]


def by_shell(table):
    if db.execute(f"select typeof(c0) = 'blob' from {table} limit 1").fetchone()[0] if table != "mixed" else True:
        return None  # the shell writes BLOBs as text
    load = f".load '{extension}'"
    ways = [
        lambda: shell(database, load, f"select resq_query('select * from {table}')"),
        lambda: shell("-json", database, load, f"select * from {table}"),
    ]
    text, other = compare(ways, children)
    return other / text


def line(name, cells):
    words = ["–" if cell is None else f"{cell:.2f}" for cell in cells]
    print(f"| {name} | {' | '.join(words)} |", flush=True)


version = "%d.%d" % sys.version_info[:2]
ratios = list(zip(*map(python, tables)))
sql = f"SQLite {sqlite3.sqlite_version}"
line(f"Python {version}, {sql}: `resq_query` as BLOB", ratios[0])
line("Python: rows, `json`", ratios[1])
if orjson:
    line(f"Python: rows, orjson {orjson.__version__}", ratios[2])
if shutil.which("sqlite3"):
    line("shell: `-json` (whole process)", map(by_shell, tables))
