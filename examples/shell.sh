#!/bin/sh
# In the sqlite3 shell: a folder's files as JSON, and an export to a file, as for a static site.
#
#     make build && sh examples/shell.sh [FOLDER]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
extension=${RESQ_EXTENSION:-$here/libresq}
out=$(mktemp)
trap 'rm -f "$out"' EXIT

cd "${1:-$here/sql}"
# fsdir() and readfile() are the shell's own. The first bytes of each file come out as base64.
sqlite3 -batch :memory: <<SQL
.load '$extension'
.mode list
.headers off
.print The files of a folder:
select replace(resq_json('name', substr(name, 3), 'bytes', length(data), 'head', substr(data, 1, 12)), '},', '},' || char(10) || ' ')
  from (select * from fsdir('.') where data is not null order by name);

.print
.print The scalar and aggregate functions that resq gave this shell, by way of a file:
.output '$out'
select resq_json('function', name, 'arguments', narg)
  from (select distinct name, narg from pragma_function_list where name like 'resq%' order by name, narg);
.output stdout
select replace(cast(readfile('$out') as text), '},', '},' || char(10) || ' ');
SQL
