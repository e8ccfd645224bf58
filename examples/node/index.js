// An endpoint's body in Node.js: the rows as JSON text from SQLite, against objects and JSON.stringify.
//
//     make build && cd examples/node && npm install && node index.js
//
// better-sqlite3 binds a number as REAL: resq_object('a', ?) of 5 gives {"a":5.0}, of 5n {"a":5}.
'use strict';

const path = require('node:path');
const Database = require('better-sqlite3');

const extension = process.env.RESQ_EXTENSION || path.join(__dirname, '..', '..', 'libresq');
const db = new Database(':memory:');
db.loadExtension(extension);

db.exec(`
  create table issues (id integer primary key, title text, weight real, open integer, author text);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
  insert into issues
    select i, 'Issue "' || i || '" — ' || substr('naïve 日本語 крик', 1 + i % 9), i / 8.0, i % 2,
           substr('adabobeve', 1 + 3 * (i % 3), 3)
    from n;
`);

// What most programs do: an object per row, then one string.
const rows = db.prepare('select id, title, weight, open, author from issues');
const stringified = () => JSON.stringify(rows.all());

// With resq: the string comes out of SQLite.
const COLUMNS = `'id', id, 'title', title, 'weight', weight, 'open', open, 'author', author`;
const asText = db.prepare(`select resq_json(${COLUMNS}) from issues`).pluck();
const asBlob = db.prepare(`select cast(resq_json(${COLUMNS}) as blob) from issues`).pluck();

const same = (a, b) => JSON.stringify(JSON.parse(a)) === b;
console.log(`SQLite ${JSON.parse(db.prepare('select resq_debug()').pluck().get()).sqlite}, ${rows.all().length} rows`);
console.log(`text equals JSON.stringify(rows): ${same(asText.get(), stringified())}`);
console.log(`BLOB, ready for response.end():   ${same(asBlob.get().toString(), stringified())}`);

const milliseconds = (work) => {
  const start = process.hrtime.bigint();
  for (let round = 0; round < 20; round++) work();
  return (Number(process.hrtime.bigint() - start) / 20e6).toFixed(1);
};
console.log(`objects and JSON.stringify ${milliseconds(stringified)} ms, text ${milliseconds(() => asText.get())} ms, ` +
  `BLOB ${milliseconds(() => asBlob.get())} ms`);

// One author with the issues inside; resq_raw() says that a text is JSON already.
const nested = db.prepare(`
  select resq_json('author', author, 'issues', resq_raw(issues)) from (
    select author, resq_json('id', id, 'weight', weight) as issues
      from (select * from issues where id <= 6 order by id) group by author)
`).pluck();
for (const author of JSON.parse(nested.get())) console.log(author.author, JSON.stringify(author.issues));
