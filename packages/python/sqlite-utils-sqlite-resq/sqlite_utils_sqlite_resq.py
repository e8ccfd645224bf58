"""resq's functions in every connection of sqlite-utils."""

import sqlite_resq
from sqlite_utils import hookimpl


@hookimpl
def prepare_connection(conn):
    sqlite_resq.load(conn)
