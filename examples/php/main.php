<?php
// PHP's SQLite3: php -d sqlite3.extension_dir=DIR main.php, where DIR holds libresq.so. PHP takes a file's name alone.
$db = new SQLite3(':memory:');
$db->enableExceptions(true);
$db->loadExtension(basename(getenv('RESQ_EXTENSION') ?: 'libresq.so'));

$db->exec("
    create table users (id integer primary key, name text, photo blob);
    insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null);
    create table orders (user integer, item text);
    insert into orders values (2, 'tea'), (2, 'cup')");
echo 'SQLite ', SQLite3::version()['versionString'], "\n";
echo $db->querySingle("select resq_json('id', id, 'name', name, 'photo', photo) from users"), "\n";
$rows = $db->query('select resq_json(name) over (order by id rows 1 preceding) from users');
while ($row = $rows->fetchArray(SQLITE3_NUM)) echo $row[0], "\n";
$nested = $db->prepare("
    select resq_query('
      select id, name, resq_query(''select item from orders where user = ?'', id) as \"orders:json\"
      from users where id = ?', ?)");
$nested->bindValue(1, 2, SQLITE3_INTEGER);
echo $nested->execute()->fetchArray(SQLITE3_NUM)[0], "\n";
$pieces = $db->query("select piece from resq_stream('select id, name from users order by id')");
while ($row = $pieces->fetchArray(SQLITE3_NUM)) echo $row[0];
