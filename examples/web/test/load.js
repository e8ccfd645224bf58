// The load: this server and the same one with its answers made by hand (src/by_hand.rs), in turns, on one machine.
// Bounded in time by the seconds below, in size by the view that is exported; all of it on loopback.
"use strict";

const { execFile } = require("node:child_process");
const fs = require("node:fs");
const { promisify } = require("node:util");
const { start, open, peak, shopWith, MANY, shop } = require("./server.js");

const rounds = Number(process.env.ROUNDS || 5);
const seconds = Number(process.env.SECONDS || 2);
// 220 * 200,000 orders are 4.1 GB of NDJSON.
const times = Number(process.env.TIMES || 220);
const ways = [["resq", []], ["by hand", ["--by-hand"]]];

const run = promisify(execFile);
const middle = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
/** Seconds of processor time that a process has used. */
function used(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function documents() {
  console.log(`wrk, 8 connections, ${rounds} rounds of ${seconds} s in turns; the middle round. µs: the server's processor time for a request\n`);
  console.log("| request | rows | resq: requests/s | µs | peak MiB | by hand: requests/s | µs | peak MiB | processor time, by hand to resq |");
  console.log("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
  for (const [rows, path] of [
    [25, "/api/customers?sort=name"],
    [1000, "/api/customers?sort=id&size=1000"],
    [25, "/api/customers?search=hopper"],
  ]) {
    const found = new Map();
    const servers = [];
    for (const [way, options] of ways) {
      const server = await start(shop, ...options);
      servers.push([way, server]);
      found.set(way, { rate: [], cost: [] });
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const [way, server] of servers) {
        const before = used(server.pid);
        const { stdout } = await run("wrk", ["-t1", "-c8", `-d${seconds}s`, new URL(path, server.url).href]);
        if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
        const count = Number(/(\d+) requests in/.exec(stdout)[1]);
        found.get(way).rate.push(Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)[1]));
        found.get(way).cost.push((used(server.pid) - before) / count * 1e6);
      }
    }
    const cells = servers.map(([way, server]) => `${middle(found.get(way).rate).toFixed(0)} | ${middle(found.get(way).cost).toFixed(0)} | ${peak(server.pid).toFixed(0)}`);
    const ratio = middle(found.get("resq").cost.map((cost, round) => found.get("by hand").cost[round] / cost));
    console.log(`| \`${path}\` | ${rows} | ${cells.join(" | ")} | ${ratio.toFixed(2)} |`);
    for (const [, server] of servers) await server.stop();
  }
}

/** Reads all as fast as it comes; gives the bytes. */
async function drain(server, path) {
  const { answer } = await open(server, path);
  let bytes = 0;
  for await (const part of answer) bytes += part.length;
  return bytes;
}

async function exports() {
  const file = shopWith("load.db", MANY(times));
  console.log("\nOne client takes the whole export, another 64 KiB ten times a second until the first is done\n");
  console.log("| export | way | GB | processor seconds | MB a processor second | peak MiB | the slow client's KB |");
  console.log("|---|---|--:|--:|--:|--:|--:|");
  for (const path of ["/export/orders.ndjson", "/export/orders.json"]) {
    for (const [way, options] of ways) {
      const server = await start(file, ...options);
      const slow = await open(server, path);
      let taken = 0;
      const timer = setInterval(() => { taken += slow.answer.read(65536)?.length ?? 0; }, 100);
      const before = used(server.pid);
      const bytes = await drain(server, path);
      const cost = used(server.pid) - before;
      clearInterval(timer);
      slow.leave();
      console.log(`| \`${path}\` | ${way} | ${(bytes / 1e9).toFixed(2)} | ${cost.toFixed(1)} | ${(bytes / 1e6 / cost).toFixed(0)} | ${peak(server.pid).toFixed(0)} | ${(taken / 1000).toFixed(0)} |`);
      await server.stop();
    }
  }
  fs.rmSync(file);
}

async function main() {
  // Makes the database, if it is not there.
  await (await start()).stop();
  await documents();
  await exports();
}

main().catch((error) => { console.error(error); process.exitCode = 1; });
