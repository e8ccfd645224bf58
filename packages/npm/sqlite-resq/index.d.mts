/** A database that can load an extension: better-sqlite3's, libsql's, Bun's, node:sqlite's with allowExtension. */
export interface Loads {
  loadExtension(file: string): unknown;
}

/** The absolute path of the extension's file for this platform. Throws where its package is not installed. */
export declare function getLoadablePath(): string;

/**
 * Gives a database resq's functions.
 *
 * node:sqlite needs `new DatabaseSync(file, { allowExtension: true })`. better-sqlite3 and libsql bind a number as REAL:
 * 5 comes out as 5.0, 5n as 5.
 */
export declare function load(db: Loads): void;
