#!/usr/bin/env python3
"""A web server on Python's own sqlite3: the response's body is made by SQLite, no dict is built for any row.

    make build && python3 examples/python_sqlite3.py

It serves two addresses on the loopback interface, asks itself for them, prints the answers and stops. Some builds of
Python have no load_extension; Debian's, Ubuntu's and Homebrew's have.
"""

import http.server
import os
import sqlite3
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXTENSION = os.environ.get("RESQ_EXTENSION", os.path.join(HERE, "libresq"))

# CAST(… AS BLOB) gives Python bytes, which go to the socket as they are.
SHOPPING = """
    select cast(resq_json('id', id, 'what', what, 'price', price, 'icon', icon) as blob)
      from items where list = ?
"""


def connect():
    db = sqlite3.connect(":memory:", check_same_thread=False)
    db.enable_load_extension(True)
    db.load_extension(EXTENSION)
    db.enable_load_extension(False)
    db.execute("create table items (id integer primary key, list text, what text, price real, icon blob)")
    db.executemany(
        "insert into items (list, what, price, icon) values (?, ?, ?, ?)",
        [
            ("home", "Crème fraîche", 1.19, "🥛".encode()),
            ("home", '12" baking tray', 14.5, None),
            ("home", "りんご", 2.0, b"\x00\xff"),
            ("office", "Paper", 4.99, b""),
        ],
    )
    return db


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        wanted = urllib.parse.unquote(self.path.lstrip("/"))
        (body,) = self.server.db.execute(SHOPPING, (wanted,)).fetchone()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    if not hasattr(sqlite3.Connection, "load_extension"):
        sys.exit("this Python's sqlite3 is built without load_extension")
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    server.db = connect()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for wanted in ("home", "office", "nothing"):
        with opener.open(f"http://127.0.0.1:{server.server_port}/{wanted}", timeout=10) as answer:
            body = answer.read().decode()
            print(f"GET /{wanted}  {answer.status}  {answer.headers['Content-Type']}, {answer.headers['Content-Length']} bytes")
            print("  " + body.replace("},", "},\n   "))
    server.shutdown()


if __name__ == "__main__":
    main()
