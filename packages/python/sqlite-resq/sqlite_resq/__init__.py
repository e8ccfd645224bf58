"""Rows as JSON inside SQLite.

>>> import sqlite3, sqlite_resq
>>> db = sqlite3.connect(":memory:")
>>> sqlite_resq.load(db)
>>> db.execute("select resq_json('id', 1, 'photo', x'89504e47')").fetchone()[0]
'[{"id":1,"photo":"iVBORw=="}]'
"""

from __future__ import annotations

import os
import sys
from typing import Any

__all__ = ["load", "loadable_path"]

_FILE = {"win32": "resq.dll", "darwin": "libresq.dylib"}.get(sys.platform, "libresq.so")


def loadable_path() -> str:
    """The absolute path of the extension's file, with its ending: what every SQLite's load_extension takes."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), _FILE)


def load(connection: Any) -> None:
    """Gives a connection resq's functions, and leaves extension loading allowed or forbidden as it was.

    `connection` is one of sqlite3, apsw, pysqlite3, sqlean or SQLAlchemy (Connection, or what its `connect` event
    brings). Errors: TypeError for anything else; RuntimeError where this Python's sqlite3 is built without
    load_extension, with what helps; the host's own error where SQLite refuses the file.
    """
    database = _database(connection)
    path = loadable_path()
    # Loads where loading is allowed already. Where it is not, SQLite says "not authorized", and nothing has happened.
    try:
        database.load_extension(path)
        return
    except Exception as error:
        if "not authorized" not in str(error):
            raise
    database.enable_load_extension(True)
    try:
        database.load_extension(path)
    finally:
        database.enable_load_extension(False)


def _database(connection: Any) -> Any:
    """The connection that has load_extension, inside those of SQLAlchemy."""
    for name in ("connection", "driver_connection"):
        inner = getattr(connection, name, None)
        if inner is not None and not callable(inner) and not hasattr(connection, "load_extension"):
            connection = inner
    if not hasattr(connection, "load_extension"):
        if type(connection).__module__.split(".")[0] == "sqlite3" or hasattr(connection, "executescript"):
            raise RuntimeError(
                "sqlite_resq.load: this Python's sqlite3 is built without load_extension. "
                "`pip install apsw` or `pip install pysqlite3` brings a SQLite that loads extensions; "
                "or take a Python built with --enable-loadable-sqlite-extensions (Debian's, Ubuntu's and Homebrew's are)"
            )
        raise TypeError(f"sqlite_resq.load: {type(connection).__name__} is no connection that can load extensions")
    from inspect import iscoroutinefunction

    if iscoroutinefunction(connection.load_extension):
        raise TypeError(
            "sqlite_resq.load: on this connection load_extension is awaited: "
            "await db.enable_load_extension(True); await db.load_extension(sqlite_resq.loadable_path())"
        )
    return connection
