-- sqlite3 :memory: '.load ./libresq' '.read examples/sqlite3-shell/main.sql'
-- Without the separators the shell would print an empty line after each piece, which ends in a line feed of its own.
.mode list
.headers off
select 'SQLite ' || sqlite_version();
create table users (id integer primary key, name text, photo blob);
insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null);
create table orders (user integer, item text);
insert into orders values (2, 'tea'), (2, 'cup');

select resq_json('id', id, 'name', name, 'photo', photo) from users;
select resq_json(name) over (order by id rows 1 preceding) from users;
.parameter set ?1 2
select resq_query('
  select id, name, resq_query(''select item from orders where user = ?'', id) as "orders:json"
  from users where id = ?', ?1);
.separator "" ""
select piece from resq_stream('select id, name from users order by id');
