# DBD::SQLite: perl main.pl
use strict;
use warnings;
use utf8;
use DBI;
binmode STDOUT, ':encoding(UTF-8)';

my $db = DBI->connect('dbi:SQLite:dbname=:memory:', '', '',
    { RaiseError => 1, sqlite_unicode => 1, sqlite_allow_multiple_statements => 1 });
$db->sqlite_enable_load_extension(1);
$db->sqlite_load_extension($ENV{RESQ_EXTENSION} // './libresq');
$db->sqlite_enable_load_extension(0);

$db->do(q{
    create table users (id integer primary key, name text, photo blob);
    insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null);
    create table orders (user integer, item text);
    insert into orders values (2, 'tea'), (2, 'cup')});
sub column { map { $_->[0] } @{ $db->selectall_arrayref(shift, undef, @_) } }
print "SQLite $_\n" for column('select sqlite_version()');
print "$_\n" for column(q{select resq_json('id', id, 'name', name, 'photo', photo) from users});
print "$_\n" for column('select resq_json(name) over (order by id rows 1 preceding) from users');
print "$_\n" for column(q{
    select resq_query('
      select id, name, resq_query(''select item from orders where user = ?'', id) as "orders:json"
      from users where id = ?', ?)}, 2);
print for column(q{select piece from resq_stream('select id, name from users order by id')});
