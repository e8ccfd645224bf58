<?php
// PHP's PDO before PHP 8.4 has no call that loads an extension: run it with preload.c's library.
$db = new PDO('sqlite::memory:');
$db->exec("
    create table users (id integer primary key, name text, photo blob);
    insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null);
    create table orders (user integer, item text);
    insert into orders values (2, 'tea'), (2, 'cup')");
echo 'SQLite ', $db->query('select sqlite_version()')->fetchColumn(), "\n";
echo $db->query("select resq_json('id', id, 'name', name, 'photo', photo) from users")->fetchColumn(), "\n";
foreach ($db->query('select resq_json(name) over (order by id rows 1 preceding) from users') as $row) echo $row[0], "\n";
$nested = $db->prepare("
    select resq_query('
      select id, name, resq_query(''select item from orders where user = ?'', id) as \"orders:json\"
      from users where id = ?', ?)");
$nested->bindValue(1, 2, PDO::PARAM_INT);
$nested->execute();
echo $nested->fetchColumn(), "\n";
foreach ($db->query("select piece from resq_stream('select id, name from users order by id')") as $row) echo $row[0];
