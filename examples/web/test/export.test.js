"use strict";

const assert = require("node:assert/strict");
const { test, before, after } = require("node:test");
const { start, request, json, open, peak, shopWith, MANY } = require("./server.js");

let resq, byHand;
before(async () => {
  resq = await start();
  byHand = await start(undefined, "--by-hand");
});
after(() => Promise.all([resq.stop(), byHand.stop()]));

const lines = (body) => body.toString().trimEnd().split("\n").map((line) => JSON.parse(line));

test("a table as lines and as an array is what typed rows give", async () => {
  for (const table of ["orders", "customers"]) {
    const file = `/export/${table}`;
    const [text, array] = [await request(resq, `${file}.ndjson`), await request(resq, `${file}.json`)];
    const expected = lines((await request(byHand, `${file}.ndjson`)).body);
    assert.equal(expected.length, table === "orders" ? 200000 : 20000);
    assert.deepEqual(lines(text.body), expected);
    assert.deepEqual(JSON.parse(array.body), expected);
    assert.deepEqual(await json(byHand, `${file}.json`), expected);
    assert.equal(text.headers["content-type"], "application/x-ndjson");
    assert.equal(array.headers["content-type"], "application/json");
    assert.equal(array.headers["content-disposition"], `attachment; filename="${table}.json"`);
  }
});

test("a filter is bound; nothing found is an empty array, or no lines", async () => {
  for (const server of [resq, byHand]) {
    const some = await json(server, "/export/orders.json?since=2025-12-30");
    assert.ok(some.length > 100 && some.every(({ day }) => day >= "2025-12-30"));
    assert.equal((await request(server, "/export/orders.json?since=2099-01-01")).body.toString(), "[]");
    assert.equal((await request(server, "/export/orders.ndjson?since=2099-01-01")).body.length, 0);
  }
});

test("clients that go away are noticed; those that wait hold what documents do not need", { timeout: 40_000 }, async () => {
  // 15 GB or so: a server that reads on holds its connections far longer than this test takes.
  const server = await start(shopWith("many.db", MANY(1000)));
  for (let round = 0; round < 3; round += 1) {
    const held = await Promise.all([1, 2, 3, 4].map(async () => {
      for (;;) {
        const client = await open(server, "/export/orders.ndjson");
        if (client.status === 200) return client;
        // A machine that is busy may need longer to tell the server that the others left.
        assert.equal(client.status, 503);
      }
    }));
    const fifth = await request(server, "/export/orders.ndjson");
    assert.equal(fifth.status, 503);
    assert.equal(fifth.headers["retry-after"], "5");
    assert.equal(typeof JSON.parse(fifth.body).error, "string");
    assert.equal((await json(server, "/api/customers")).total, 20000);
    for (const client of held) client.leave();
  }
  await server.stop();
});

test("however much passes, memory holds a piece or two", async () => {
  const server = await start(shopWith("much.db", MANY(35)));
  await request(server, "/export/customers.json");
  const before = peak(server.pid);
  const { answer } = await open(server, "/export/orders.ndjson");
  let bytes = 0;
  for await (const part of answer) bytes += part.length;
  assert.ok(bytes > 500_000_000, `${bytes} bytes`);
  assert.ok(peak(server.pid) - before < 32, `${before} MiB before, ${peak(server.pid)} after`);
  await server.stop();
});

test("an error is an answer before the first piece, and breaks the body off after it", async () => {
  const broken = (at) => `create view orders as select id, customer, day, item,
    case when id >= ${at} then abs(-9223372036854775807 - (id > 0)) else count end as count, price from orders_once`;
  const early = await start(shopWith("early.db", broken(1)));
  const refused = await request(early, "/export/orders.json");
  assert.equal(refused.status, 500);
  assert.equal(JSON.parse(refused.body).error, "the server failed");
  assert.match(early.errors(), /integer overflow/);
  await early.stop();
  const late = await start(shopWith("late.db", broken(100000)));
  const { status, answer } = await open(late, "/export/orders.json");
  assert.equal(status, 200);
  await assert.rejects(answer.toArray(), { code: "ECONNRESET" });
  assert.match(late.errors(), /integer overflow/);
  await late.stop();
});
