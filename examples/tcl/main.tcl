# Tcl's sqlite3: tclsh main.tcl
encoding system utf-8
fconfigure stdout -encoding utf-8
package require sqlite3

sqlite3 db :memory:
db enable_load_extension 1
set extension ./libresq
if {[info exists env(RESQ_EXTENSION)]} { set extension $env(RESQ_EXTENSION) }
db eval {select load_extension($extension)}
db enable_load_extension 0

db eval "
    create table users (id integer primary key, name text, photo blob);
    insert into users values (1, 'Ada', x'00ff10'), (2, '\u0411\u043e\u0440\u0438\u0441', null);
    create table orders (user integer, item text);
    insert into orders values (2, 'tea'), (2, 'cup')"
puts "SQLite [db onecolumn {select sqlite_version()}]"
puts [db onecolumn {select resq_json('id', id, 'name', name, 'photo', photo) from users}]
db eval {select resq_json(name) over (order by id rows 1 preceding) as names from users} { puts $names }
set id 2
puts [db onecolumn {
    select resq_query('
      select id, name, resq_query(''select item from orders where user = ?'', id) as "orders:json"
      from users where id = ?', $id)}]
db eval {select piece from resq_stream('select id, name from users order by id')} { puts -nonewline $piece }
