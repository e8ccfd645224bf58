// A server under test: a process of its own on a port of its own, and what the tests ask of it.
"use strict";

const { spawn, execFileSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { once } = require("node:events");

const folder = process.env.RESQ_WEB_FOLDER;
const program = process.env.RESQ_WEB;
if (!folder || !program) throw new Error("start this by make test-web, load-web or screenshots-web");

/** The example database; the first server that starts makes it. */
const shop = path.join(folder, "shop.db");

const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

async function start(file = shop, ...options) {
  const child = spawn(program, ["--listen", "127.0.0.1:0", ...options, file], { stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  let errors = "";
  child.stderr.on("data", (text) => { errors += text; });
  const [line] = await Promise.race([
    once(child.stdout.setEncoding("utf8"), "data"),
    once(child, "exit").then(([code]) => { throw new Error(`the server ended with ${code}: ${errors}`); }),
  ]);
  const url = line.trim();
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    errors: () => errors,
    async stop() {
      if (child.exitCode !== null) throw new Error(`the server had ended: ${errors}`);
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** One request, its bytes as they came. A path is sent as it is, however wrong. */
function request(server, path, { method = "GET", headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const ask = http.request({ port: server.port, host: "127.0.0.1", path, method, headers, agent: false }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }));
    });
    ask.on("error", reject);
    ask.end();
  });
}

async function json(server, path) {
  const answer = await request(server, path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}: ${answer.body}`);
  return JSON.parse(answer.body);
}

/** A request whose answer nobody reads until told. */
function open(server, path) {
  return new Promise((resolve, reject) => {
    const ask = http.get({ port: server.port, host: "127.0.0.1", path, agent: false }, (answer) => {
      answer.pause();
      answer.on("error", () => {});
      resolve({ status: answer.statusCode, answer, leave: () => ask.destroy() });
    });
    ask.on("error", reject);
  });
}

/** The most memory that the process held since it began, in MiB. */
function peak(pid) {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(kilobytes) / 1024;
}

/** A copy of the shop whose orders are another table or view, made by `sql` from `orders_once`. */
function shopWith(name, sql) {
  const file = path.join(folder, name);
  for (const ending of ["", "-wal", "-shm"]) fs.rmSync(file + ending, { force: true });
  fs.copyFileSync(shop, file);
  execFileSync("sqlite3", [file], { input: `.bail on\nalter table orders rename to orders_once;\n${sql};` });
  return file;
}

/** The orders again and again, without end for any practical purpose: nothing of it is stored. */
const MANY = (times) => `create view orders as
  with recursive again(n) as (select 0 union all select n + 1 from again where n < ${times - 1})
  select id + 200000 * n as id, customer, day, item, count, price from again cross join orders_once`;

const hash = (file) => createHash("sha256").update(fs.readFileSync(file)).digest("hex");

module.exports = { start, request, json, open, peak, shopWith, MANY, shop, folder, hash };
