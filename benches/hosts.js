// Node against one resq_query: hosts.js DATABASE EXTENSION TABLE…, see hosts.sh.
//
// Ways take turns, the order flips every round, the process's CPU time counts (the garbage collector's threads too), and of
// all rounds the 25th percentile.
'use strict'
const assert = require('node:assert')
const path = require('node:path')
const Database = require('better-sqlite3')

const [database, extension, ...tables] = process.argv.slice(2)
const ROUNDS = 13
const db = new Database(database, { readonly: true })
db.loadExtension(path.resolve(extension))
const version = db.prepare('select sqlite_version()').pluck().get()

function clock() {
  const { user, system } = process.cpuUsage()
  return user + system
}

function compare(ways) {
  const times = ways.map(() => [])
  for (const way of ways) way()
  for (let round = 0; round < ROUNDS; round++) {
    const order = [...ways.keys()]
    if (round % 2) order.reverse()
    for (const index of order) {
      const start = clock()
      ways[index]()
      times[index].push(clock() - start)
    }
  }
  return times.map((way) => way.sort((a, b) => a - b)[Math.floor(ROUNDS / 4)])
}

function node(table) {
  const query = `resq_query('select * from ${table}')`
  const text = db.prepare(`select ${query}`).pluck()
  const blob = db.prepare(`select cast(${query} as blob)`).pluck()
  // Integers of 18 digits are not safe as numbers: as in a careful program they come as BigInt, and go out as strings.
  const big = table === 'int18'
  const rows = db.prepare(`select * from ${table}`).safeIntegers(big)
  const plain = (key, value) => (typeof value === 'bigint' ? String(value) : value)
  const collect = () => {
    const all = rows.all()
    for (const row of all) {
      for (const key in row) {
        if (Buffer.isBuffer(row[key])) row[key] = row[key].toString('base64')
      }
    }
    return JSON.stringify(all, big ? plain : undefined)
  }
  if (!big) assert.deepStrictEqual(JSON.parse(text.get()), JSON.parse(collect()))
  assert(blob.get().equals(Buffer.from(text.get())))
  const [first, ...others] = compare([() => text.get(), () => blob.get(), collect])
  return others.map((other) => other / first)
}

const ratios = tables.map(node)
const line = (name, cells) => console.log(`| ${name} | ${cells.map((cell) => cell.toFixed(2)).join(' | ')} |`)
line(`Node ${process.versions.node}, SQLite ${version}: \`resq_query\` as BLOB`, ratios.map((lane) => lane[0]))
line('Node: rows, `JSON.stringify`', ratios.map((lane) => lane[1]))
