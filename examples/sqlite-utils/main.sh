#!/bin/sh
# sqlite-utils on the command line: sh main.sh. SQLITE_UTILS names the program.
set -eu
extension=${RESQ_EXTENSION:-./libresq}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
utils=${SQLITE_UTILS:-sqlite-utils}
"$utils" query "$folder/first.db" 'create table users (id integer primary key, name text, photo blob)' >/dev/null
"$utils" query "$folder/first.db" "insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null)" >/dev/null
"$utils" query "$folder/first.db" 'create table orders (user integer, item text)' >/dev/null
"$utils" query "$folder/first.db" "insert into orders values (2, 'tea'), (2, 'cup')" >/dev/null
# --raw-lines prints the first column as it is.
ask() { "$utils" query "$folder/first.db" "$@" --load-extension "$extension" --raw-lines; }
ask "select 'SQLite ' || sqlite_version()"
ask "select resq_json('id', id, 'name', name, 'photo', photo) from users"
ask "select resq_json(name) over (order by id rows 1 preceding) from users"
ask "select resq_query('
  select id, name, resq_query(''select item from orders where user = ?'', id) as \"orders:json\"
  from users where id = ?', :id)" -p id 2
"$utils" query "$folder/first.db" "select piece from resq_stream('select id, name from users order by id')" \
    --load-extension "$extension" --raw
