/* resq linked into a program that has SQLite compiled in. Link libresq.a, and once, before a connection is opened:
 *
 *     sqlite3_auto_extension((void (*)(void))sqlite3_resq_init);
 *
 * Every connection that is opened from then on has resq's functions. sqlite3_auto_extension returns SQLITE_OK (0), or
 * SQLITE_NOMEM (7) without memory; sqlite3_open fails with a message where resq cannot be registered. SQLite must be
 * 3.26.0 or newer and built without SQLITE_OMIT_LOAD_EXTENSION, which would leave resq without the table of functions
 * that it calls; SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION may stay off.
 */
#ifndef RESQ_H
#define RESQ_H

#ifdef __cplusplus
extern "C" {
#endif

struct sqlite3;
struct sqlite3_api_routines;

/* SQLite calls it. It returns a result code of SQLite's, and with any but SQLITE_OK a message in *message, which is
 * sqlite3_free's. */
int sqlite3_resq_init(struct sqlite3 *db, char **message, const struct sqlite3_api_routines *routines);

#ifdef __cplusplus
}
#endif

#endif
