"use strict";

const assert = require("node:assert/strict");
const { test, before, after } = require("node:test");
const zlib = require("node:zlib");
const { start, request, json } = require("./server.js");

// The second one makes its answers from typed rows by serde_json: it shares the SQL with the first, not the JSON.
let resq, byHand;
before(async () => {
  resq = await start();
  byHand = await start(undefined, "--by-hand");
});
after(() => Promise.all([resq.stop(), byHand.stop()]));

test("pages in every order, and what is searched, are what typed rows give", async () => {
  let rows = 0;
  for (const sort of ["id", "name", "city", "joined", "spent"]) {
    for (const descending of [false, true]) {
      for (const rest of ["", "&page=3&size=1000", "&search=ni%C3%A1", "&search=Oulu&size=500", "&search=%25", "&search=_", "&search=%5C"]) {
        const path = `/api/customers?sort=${sort}&descending=${descending}${rest}`;
        const [one, other] = [await json(resq, path), await json(byHand, path)];
        assert.deepEqual(one, other, path);
        rows += one.rows.length;
      }
    }
  }
  assert.ok(rows > 10_000, `${rows} rows`);
});

test("the server sorts, searches and pages", async () => {
  const first = await json(resq, "/api/customers?sort=spent&descending=true");
  const second = await json(resq, "/api/customers?sort=spent&descending=true&page=2");
  const spent = [...first.rows, ...second.rows].map((row) => row.spent);
  assert.equal(first.total, 20000);
  assert.equal(spent.length, 50);
  assert.deepEqual(spent, [...spent].sort((a, b) => b - a));
  const found = await json(resq, "/api/customers?search=hopper&size=1000");
  assert.ok(found.total > 100 && found.rows.every((row) => row.name.includes("Hopper")));
  assert.equal((await json(resq, "/api/customers?search=%25")).total, 0, "% is a character, not a pattern");
});

test("a picture is the BLOB's base64", async () => {
  const { rows } = await json(resq, "/api/customers");
  for (const { picture } of rows) {
    const bytes = Buffer.from(picture, "base64");
    assert.equal(bytes.toString("base64"), picture);
    assert.equal(bytes.subarray(0, 2).toString(), "BM");
    assert.equal(bytes.readUInt32LE(2), bytes.length);
  }
});

test("one customer with the orders, and columns for the chart", async () => {
  const customer = await json(resq, "/api/customers/7");
  assert.equal(customer.id, 7);
  const sum = customer.orders.reduce((sum, order) => sum + order.count * order.price, 0);
  assert.ok(customer.orders.length > 0 && Math.abs(sum - customer.spent) < 0.01);
  const sales = await json(resq, "/api/sales");
  assert.deepEqual(Object.keys(sales), ["month", "orders", "total"]);
  assert.equal(sales.month.length, 24);
  assert.equal(sales.orders.reduce((sum, count) => sum + count), 200000);
});

test("an ETag spares the body as long as the answer is the same", async () => {
  const whole = await request(resq, "/api/customers");
  const tag = whole.headers.etag;
  for (const known of [tag, `"x", ${tag}`, "*"]) {
    const again = await request(resq, "/api/customers", { headers: { "if-none-match": known } });
    assert.equal(again.status, 304, known);
    assert.equal(again.body.length, 0);
    assert.equal(again.headers.etag, tag);
  }
  const other = await request(resq, "/api/customers?page=2", { headers: { "if-none-match": tag } });
  assert.equal(other.status, 200);
  const broken = await request(resq, "/api/customers", { headers: { "if-none-match": "no quotes" } });
  assert.equal(broken.status, 200);
});

test("gzip for those who take it", async () => {
  const plain = await request(resq, "/api/customers?size=1000");
  const packed = await request(resq, "/api/customers?size=1000", { headers: { "accept-encoding": "gzip" } });
  assert.equal(plain.headers["content-encoding"], undefined);
  assert.equal(packed.headers["content-encoding"], "gzip");
  assert.ok(packed.body.length < plain.body.length / 2);
  assert.deepEqual(zlib.gunzipSync(packed.body), plain.body);
});

test("errors are JSON and have the right status", async () => {
  for (const [status, path, method] of [
    [404, "/nothing"], [404, "/api/customers/20001"], [404, "/export/sqlite_schema.json"],
    [400, "/api/customers/one"], [400, "/api/customers?page=0"], [405, "/api/sales", "POST"],
  ]) {
    const answer = await request(resq, path, { method });
    assert.equal(answer.status, status, path);
    assert.equal(answer.headers["content-type"], "application/json");
    assert.equal(typeof JSON.parse(answer.body).error, "string");
  }
  const head = await request(resq, "/api/sales", { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(head.body.length, 0);
});
