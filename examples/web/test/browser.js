"use strict";

const { execFileSync } = require("node:child_process");
const { chromium } = require("playwright-core");

/** Debian's Chromium, or the one that CHROMIUM names. */
function launch() {
  const executablePath = process.env.CHROMIUM || execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
  // Chromium's own sandbox does not start as root, as which containers run.
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid() !== 0, args: ["--disable-gpu"] });
}

module.exports = { launch };
