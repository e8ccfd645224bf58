// Bun's own SQLite: bun main.js
import { Database } from 'bun:sqlite';

const extension = process.env.RESQ_EXTENSION || './libresq';
const SETUP = `
  create table users (id integer primary key, name text, photo blob);
  insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null);
  create table orders (user integer, item text);
  insert into orders values (2, 'tea'), (2, 'cup')`;
const JSON_OF_ROWS = "select resq_json('id', id, 'name', name, 'photo', photo) as json from users";
const WINDOW = 'select resq_json(name) over (order by id rows 1 preceding) as names from users';
const NESTED = `
  select resq_query('
    select id, name, resq_query(''select item from orders where user = ?'', id) as "orders:json"
    from users where id = ?', ?) as json`;
const STREAM = "select piece from resq_stream('select id, name from users order by id')";

const db = new Database(':memory:');
db.loadExtension(extension);

db.exec(SETUP);
console.log('SQLite', db.query('select sqlite_version() as version').get().version);
console.log(db.query(JSON_OF_ROWS).get().json);
for (const { names } of db.query(WINDOW).iterate()) console.log(names);
console.log(db.query(NESTED).get(2).json);
for (const { piece } of db.query(STREAM).iterate()) process.stdout.write(piece);
