// npm's sqlite3, which calls back: npm install sqlite3 && node main.js
const { promisify } = require('node:util');
const sqlite3 = require('sqlite3');

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

async function main() {
  const db = new sqlite3.Database(':memory:');
  const [load, exec, all] = ['loadExtension', 'exec', 'all'].map((name) => promisify(db[name].bind(db)));
  await load(extension);
  await exec(SETUP);
  console.log('SQLite', (await all('select sqlite_version() as version'))[0].version);
  console.log((await all(JSON_OF_ROWS))[0].json);
  for (const { names } of await all(WINDOW)) console.log(names);
  console.log((await all(NESTED, 2))[0].json);
  for (const { piece } of await all(STREAM)) process.stdout.write(piece);
}

main();
