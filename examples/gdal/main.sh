#!/bin/sh
# GDAL: ogrinfo and ogr2ogr load it for any SQLite or GeoPackage file. GDAL wants the file's path as a whole.
set -eu
extension=${RESQ_EXTENSION:-$PWD/libresq.so}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ogr2ogr -f SQLite "$folder/first.db" /vsistdin/ -nln ignored -oo X=1 >/dev/null 2>&1 <<'GEOJSON' || true
{"type":"FeatureCollection","features":[]}
GEOJSON
for sql in 'create table users (id integer primary key, name text, photo blob)' \
    "insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null)" \
    'create table orders (user integer, item text)' \
    "insert into orders values (2, 'tea'), (2, 'cup')"; do
    ogrinfo -q "$folder/first.db" -sql "$sql"
done
# CSV of one column, without its heading and the quotes that CSV puts around it.
ask() {
    ogr2ogr --config OGR_SQLITE_LOAD_EXTENSIONS "$extension" -f CSV /vsistdout/ "$folder/first.db" -sql "$1" |
        sed -e 1d -e 's/^"//' -e 's/"$//' -e 's/""/"/g' | sed '/^$/d'
}
ask "select 'SQLite ' || sqlite_version() as v"
ask "select resq_json('id', id, 'name', name, 'photo', photo) as v from users"
ask "select resq_json(name) over (order by id rows 1 preceding) as v from users"
# ogr2ogr has no parameters: a column is one.
ask "select resq_query('
  select id, name, resq_query(''select item from orders where user = ?'', id) as \"orders:json\"
  from users where id = ?', id) as v from users where name = 'Борис'"
ask "select piece as v from resq_stream('select id, name from users order by id')"
