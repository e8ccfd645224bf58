// Pictures of the page: `make screenshots-web` writes them to the folder that it names.
"use strict";

const path = require("node:path");
const { start, folder } = require("./server.js");
const { launch } = require("./browser.js");

async function main() {
  const server = await start();
  const browser = await launch();
  for (const [name, colorScheme, viewport] of [
    ["page.png", "light", { width: 860, height: 720 }],
    ["page-dark.png", "dark", { width: 860, height: 720 }],
    ["page-phone.png", "dark", { width: 390, height: 780 }],
  ]) {
    const page = await browser.newPage({ colorScheme, viewport });
    await page.goto(`${server.url}?sort=spent&descending=true`);
    await page.locator("tbody[aria-busy=false] tr").first().waitFor();
    await page.locator("#sales rect").first().waitFor();
    await page.screenshot({ path: path.join(folder, name) });
    console.log(path.join(folder, name));
    await page.close();
  }
  await browser.close();
  await server.stop();
}

main().catch((error) => { console.error(error); process.exitCode = 1; });
