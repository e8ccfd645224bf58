'use strict';

const { existsSync } = require('node:fs');
const process = require('node:process');

const FILES = { win32: 'resq.dll', darwin: 'libresq.dylib' };

/** Is this a Linux whose C library is musl? */
function musl() {
  if (process.platform !== 'linux') return false;
  // A report of a glibc's program names its version. Without a report, the file of musl's loader says it.
  const header = process.report?.getReport?.()?.header;
  if (header?.glibcVersionRuntime) return false;
  const cpu = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  return existsSync(`/lib/ld-musl-${cpu}.so.1`) && !existsSync(`/lib/${cpu}-linux-gnu/libc.so.6`);
}

function getLoadablePath() {
  const platform = `${process.platform}-${process.arch}${musl() ? '-musl' : ''}`;
  const name = `sqlite-resq-${platform}`;
  try {
    return require.resolve(`${name}/${FILES[process.platform] ?? 'libresq.so'}`);
  } catch (error) {
    throw new Error(
      `sqlite-resq: the package ${name} is missing. npm installs it by itself for the platforms that sqlite-resq has ` +
        '(not with --no-optional or --omit=optional, and not in a node_modules from another platform)',
      { cause: error },
    );
  }
}

function load(db) {
  if (typeof db?.loadExtension !== 'function') {
    throw new TypeError('sqlite-resq: load() takes a database that has loadExtension()');
  }
  db.loadExtension(getLoadablePath());
}

module.exports = { getLoadablePath, load };
