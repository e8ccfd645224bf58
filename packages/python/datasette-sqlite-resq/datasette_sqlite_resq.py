"""resq's functions in every connection of datasette."""

import sqlite_resq
from datasette import hookimpl


@hookimpl
def prepare_connection(conn):
    sqlite_resq.load(conn)
