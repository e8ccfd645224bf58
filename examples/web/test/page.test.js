"use strict";

const assert = require("node:assert/strict");
const { test, before, after, beforeEach, afterEach } = require("node:test");
const { start, json } = require("./server.js");
const { launch } = require("./browser.js");

let server, browser, page, wrong;
before(async () => {
  server = await start();
  browser = await launch();
});
after(async () => {
  await browser.close();
  await server.stop();
});
beforeEach(async () => {
  page = await browser.newPage();
  wrong = [];
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("console", (message) => { if (message.type() === "error") wrong.push(message.text()); });
  await page.goto(server.url);
  await ready();
});
afterEach(() => page.close());

/** Until the table is what the server said last. */
const ready = () => page.locator("tbody[aria-busy=false] tr").first().waitFor();
const names = () => page.locator("tbody td:nth-child(2)").allTextContents();
const answered = (part, action) => Promise.all([page.waitForResponse((answer) => answer.url().includes(part)), action()]);

test("rows, pictures and the chart are shown", async () => {
  const { rows } = await json(server, "/api/customers?sort=name");
  assert.deepEqual(await names(), rows.map(({ name }) => name));
  const widths = await page.locator("tbody img").evaluateAll((images) => Promise.all(images.map(async (image) => {
    await image.decode();
    return image.naturalWidth;
  })));
  assert.deepEqual(widths, Array(25).fill(8));
  const { month, total } = await json(server, "/api/sales");
  await page.locator("#sales rect").first().waitFor();
  const heights = await page.locator("#sales rect").evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height));
  assert.equal(heights.length, month.length);
  const scale = heights[0] / total[0];
  heights.forEach((height, at) => assert.ok(Math.abs(height - total[at] * scale) < 0.5, `${month[at]}: ${height}`));
  assert.deepEqual(wrong, []);
});

test("a search, its address, and what finds nothing", async () => {
  await answered("search=hopper", () => page.locator("#word").fill("hopper"));
  await ready();
  assert.ok((await names()).every((name) => name.includes("Hopper")));
  assert.match(page.url(), /search=hopper/);
  await page.reload();
  await ready();
  assert.ok((await names()).every((name) => name.includes("Hopper")));
  await answered("search=%3Cscript", () => page.locator("#word").fill("<script>"));
  await page.waitForFunction(() => document.getElementById("count").textContent === "0 found");
  assert.deepEqual(await names(), []);
  assert.deepEqual(wrong, []);
});

test("by keyboard alone: a sort, its other direction, pages, one customer and back", async () => {
  const tabTo = async (text) => {
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((text) => document.activeElement.textContent.trim() === text, text)) return;
    }
    assert.fail(`no way to ${text}`);
  };
  await tabTo("Spent");
  await answered("sort=spent&descending=false", () => page.keyboard.press("Enter"));
  await ready();
  await answered("sort=spent&descending=true", () => page.keyboard.press("Enter"));
  await ready();
  assert.equal(await page.locator("th[data-sort=spent]").getAttribute("aria-sort"), "descending");
  const { rows } = await json(server, "/api/customers?sort=spent&descending=true");
  assert.deepEqual(await names(), rows.map(({ name }) => name));
  await tabTo("Next");
  await answered("page=2", () => page.keyboard.press("Enter"));
  await ready();
  await page.keyboard.press("Home");
  const first = (await names())[0];
  await page.locator("#word").focus();
  await tabTo(first);
  await page.keyboard.press("Enter");
  await page.locator("dialog[open]").waitFor();
  assert.equal(await page.locator("#customer-name").textContent(), first);
  assert.ok(await page.locator("#customer-orders li").count() > 0);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  assert.deepEqual(wrong, []);
});

test("an error is shown, and goes when the next answer comes", async () => {
  await page.route("**/api/customers?*", (route) => route.fulfill({ status: 503, contentType: "application/json", body: '{"error":"busy: try again"}' }));
  await page.locator("#after").click();
  await page.locator("#error:visible").waitFor();
  assert.equal(await page.locator("[role=alert]").textContent(), "busy: try again");
  await page.unroute("**/api/customers?*");
  await page.locator("#after").click();
  await page.locator("#error").waitFor({ state: "hidden" });
  // The server's own refusal, from an address that somebody changed.
  await page.goto(`${server.url}?page=0`);
  await page.locator("#error:visible").waitFor();
  assert.equal(await page.locator("[role=alert]").textContent(), "page: from 1 to 1000000");
});

test("in the dark, and on a phone", async () => {
  const light = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.emulateMedia({ colorScheme: "dark" });
  const contrast = await page.evaluate(() => {
    const lightness = (color) => color.match(/\d+/g).slice(0, 3).reduce((sum, part, at) => {
      const value = part / 255;
      return sum + [0.2126, 0.7152, 0.0722][at] * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    }, 0);
    const style = getComputedStyle(document.documentElement);
    return (lightness(style.color) + 0.05) / (lightness(style.backgroundColor) + 0.05);
  });
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), light);
  assert.ok(contrast > 7, `${contrast}`);
  await page.setViewportSize({ width: 360, height: 740 });
  const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= seen, `${wide} > ${seen}`);
  const small = await page.locator(".pages button").evaluateAll((all) => all.filter((it) => it.getBoundingClientRect().height < 40).length);
  assert.equal(small, 0, "buttons are large enough for a finger");
  assert.deepEqual(wrong, []);
});
