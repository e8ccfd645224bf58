"use strict";

const assert = require("node:assert/strict");
const net = require("node:net");
const { test, before, after } = require("node:test");
const { start, request, json, hash, shop } = require("./server.js");

let server, file, customers;
before(async () => {
  server = await start();
  file = hash(shop);
  customers = (await request(server, "/api/customers?size=1000")).body;
});
after(async () => {
  // Whatever was asked: the same bytes in the file and in the answer, and no word of the database in the log.
  assert.equal(hash(shop), file);
  assert.deepEqual((await request(server, "/api/customers?size=1000")).body, customers);
  assert.equal(server.errors(), "");
  await server.stop();
});

const SQL = ["' or 1=1 --", "1; drop table customers", "id; delete from orders", "resq_query('select 1')", "(select 1)",
  "name desc, (select load_extension('x'))", "\"", "`", "[", "/*", "'", "\\", "%00", "?1", ":a", "@a", "$a"];

test("SQL in every field that is not free text is refused", async () => {
  for (const text of SQL.map(encodeURIComponent)) {
    for (const path of [
      `/api/customers?sort=${text}`, `/api/customers?descending=${text}`, `/api/customers?page=${text}`, `/api/customers?size=${text}`,
      `/api/customers/${text}`, `/export/${text}`, `/export/orders.json?since=${text}`, `/api/customers?${text}=1`,
    ]) {
      const { status, body } = await request(server, path);
      assert.ok(status === 400 || status === 404, `${path}: ${status}`);
      assert.equal(typeof JSON.parse(body).error, "string", path);
    }
  }
});

test("SQL that is searched for is text", async () => {
  for (const text of SQL) {
    const { total, rows } = await json(server, `/api/customers?search=${encodeURIComponent(text)}`);
    // The one that names have: O'Brien.
    if (text === "'") assert.ok(total > 0 && total < 2000 && rows.every((row) => row.name.includes("'")));
    else assert.equal(total, 0, text);
  }
});

test("bad UTF-8 is refused", async () => {
  for (const bytes of ["%ff", "%c3", "%c3%28", "%ed%a0%80", "%f8%88%80%80%80", "%c0%80", "a%e2%82"]) {
    for (const path of [`/api/customers?search=${bytes}`, `/api/customers?${bytes}=1`, `/api/customers/${bytes}`,
      `/export/orders.json?since=${bytes}`, `/export/${bytes}`]) {
      const { status, body } = await request(server, path);
      assert.equal(status, 400, path);
      assert.equal(typeof JSON.parse(body).error, "string", path);
    }
  }
});

test("too much is refused", async () => {
  for (const [status, path] of [
    [414, `/api/customers?search=${"x".repeat(3000)}`], [414, `/${"x".repeat(10_000)}`],
    [400, `/api/customers?search=${"x".repeat(101)}`], [400, `/api/customers?search=${"%C3%A9".repeat(101)}`],
    [400, "/api/customers?size=1001"], [400, "/api/customers?page=1000001"],
    [400, "/api/customers?page=99999999999999999999"], [400, "/api/customers/9223372036854775808"],
  ]) {
    assert.equal((await request(server, path)).status, status, path.slice(0, 60));
  }
  assert.equal((await json(server, `/api/customers?search=${"%C3%A9".repeat(100)}`)).total, 0, "100 characters are not too many");
  const large = await request(server, "/api/sales", { headers: { "x-large": "x".repeat(1_000_000) } }).catch((error) => error);
  assert.ok(large.status === 431 || large.code === "ECONNRESET" || large.code === "EPIPE", String(large.status ?? large));
});

test("wrong types are refused", async () => {
  for (const query of ["page=one", "page=1.5", "page=-1", "page=", "page=1e3", "page=0x10", "size=0", "size=null", "descending=1",
    "descending=yes", "sort=", "sort=picture", "sort=NAME", "page=1&page=2", "unknown=1", "search[]=x", "search=%00", "search=a%00b"]) {
    assert.equal((await request(server, `/api/customers?${query}`)).status, 400, query);
  }
  for (const query of ["since=2025", "since=2025-1-1", "since=today", "since=", "until=2025-01-01", "since=2025-01-01&since=2025-01-01"]) {
    assert.equal((await request(server, `/export/orders.json?${query}`)).status, 400, query);
  }
  assert.equal((await request(server, "/export/customers.json?since=2025-01-01")).status, 400);
});

test("what is not HTTP gets no answer but 400, or none", async () => {
  for (const bytes of ["\0".repeat(100), "GET\r\n\r\n", "SELECT 1;\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /api/customers?search=\xff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"]) {
    const answer = await new Promise((resolve) => {
      const socket = net.connect(server.port, "127.0.0.1");
      let text = "";
      socket.on("data", (part) => { text += part.toString("latin1"); });
      socket.on("error", () => resolve(text));
      socket.on("close", () => resolve(text));
      socket.end(Buffer.from(bytes, "latin1"));
    });
    assert.match(answer, /^(HTTP\/1\.[01] 4\d\d |$)/, JSON.stringify(bytes));
  }
});

test("other methods and paths out of the tree are refused", async () => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
    assert.equal((await request(server, "/api/customers", { method })).status, 405, method);
  }
  for (const path of ["/../Cargo.toml", "/export/../api/sales", "/export/..%2f..%2fshop.db", "//api/sales", "/api//sales"]) {
    assert.equal((await request(server, path)).status, 404, path);
  }
});
