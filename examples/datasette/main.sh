#!/bin/sh
# Datasette: one file loads resq for all its pages. PYTHON is a Python that has datasette, and sqlite3 with extensions.
set -eu
extension=${RESQ_EXTENSION:-./libresq}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" - "$folder/first.db" <<'PYTHON'
import sqlite3, sys
sqlite3.connect(sys.argv[1]).executescript("""
    create table users (id integer primary key, name text, photo blob);
    insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null);
    create table orders (user integer, item text);
    insert into orders values (2, 'tea'), (2, 'cup');
""")
PYTHON
# A query as its address has it; a value of the address is a parameter. `datasette serve` has the same options.
ask() { # SQL [PARAMETERS]
    address=$("${PYTHON:-python3}" -c 'import sys, urllib.parse
print("/first.json?_shape=arrayfirst&" + urllib.parse.urlencode({"sql": sys.argv[1]}) + "&" + (sys.argv[2:] or [""])[0])' "$@")
    "${PYTHON:-python3}" -m datasette "$folder/first.db" --load-extension "$extension" --get "$address" |
        "${PYTHON:-python3}" -c 'import json, sys
for value in json.load(sys.stdin): print(value, end="" if value.endswith("\n") else "\n")'
}
ask "select 'SQLite ' || sqlite_version()"
ask "select resq_json('id', id, 'name', name, 'photo', photo) from users"
ask "select resq_json(name) over (order by id rows 1 preceding) from users"
# A parameter of an address is text; the column's affinity makes a number of it.
ask "select resq_query('
  select id, name, resq_query(''select item from orders where user = ?'', id) as \"orders:json\"
  from users where id = ?', :id)" id=2
ask "select piece from resq_stream('select id, name from users order by id')"
