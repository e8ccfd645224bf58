# The gem sqlite3: ruby main.rb
require 'sqlite3'

db = SQLite3::Database.new(':memory:')
db.enable_load_extension(true)
db.load_extension(ENV.fetch('RESQ_EXTENSION', './libresq'))
db.enable_load_extension(false)

db.execute_batch(<<~SQL)
  create table users (id integer primary key, name text, photo blob);
  insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null);
  create table orders (user integer, item text);
  insert into orders values (2, 'tea'), (2, 'cup');
SQL
puts "SQLite #{db.get_first_value('select sqlite_version()')}"
puts db.get_first_value("select resq_json('id', id, 'name', name, 'photo', photo) from users")
db.execute('select resq_json(name) over (order by id rows 1 preceding) from users') { |row| puts row[0] }
puts db.get_first_value(<<~SQL, 2)
  select resq_query('
    select id, name, resq_query(''select item from orders where user = ?'', id) as "orders:json"
    from users where id = ?', ?)
SQL
db.execute("select piece from resq_stream('select id, name from users order by id')") { |row| print row[0] }
