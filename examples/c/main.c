/* C, loading resq: cc main.c -lsqlite3 && ./a.out
 *
 * Compiled with RESQ_STATIC it has resq linked in instead: cc -DRESQ_STATIC main.c libresq.a -lsqlite3 -lpthread -ldl -lm */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef RESQ_STATIC
#include "resq.h"
#endif

static sqlite3 *db;

static void check(int code)
{
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE)
        return;
    fprintf(stderr, "SQLite: %s\n", db ? sqlite3_errmsg(db) : sqlite3_errstr(code));
    exit(1);
}

static void show(const char *sql, int id, const char *end)
{
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v2(db, sql, -1, &statement, 0));
    if (sqlite3_bind_parameter_count(statement))
        check(sqlite3_bind_int(statement, 1, id));
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        printf("%s%s", (const char *)sqlite3_column_text(statement, 0), end);
    check(code);
    sqlite3_finalize(statement);
}

int main(void)
{
#ifdef RESQ_STATIC
    check(sqlite3_auto_extension((void (*)(void))sqlite3_resq_init));
    check(sqlite3_open(":memory:", &db));
#else
    const char *file = getenv("RESQ_EXTENSION");
    char *message = 0;
    check(sqlite3_open(":memory:", &db));
    check(sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, (int *)0));
    if (sqlite3_load_extension(db, file ? file : "./libresq", 0, &message)) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    check(sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0));
#endif
    check(sqlite3_exec(db,
        "create table users (id integer primary key, name text, photo blob);"
        "insert into users values (1, 'Ada', x'00ff10'), (2, '\xd0\x91\xd0\xbe\xd1\x80\xd0\xb8\xd1\x81', null);"
        "create table orders (user integer, item text);"
        "insert into orders values (2, 'tea'), (2, 'cup')", 0, 0, 0));
    show("select 'SQLite ' || sqlite_version()", 0, "\n");
    show("select resq_json('id', id, 'name', name, 'photo', photo) from users", 0, "\n");
    show("select resq_json(name) over (order by id rows 1 preceding) from users", 0, "\n");
    show("select resq_query('select id, name, resq_query(''select item from orders where user = ?'', id) as \"orders:json\""
         " from users where id = ?', ?)", 2, "\n");
    show("select piece from resq_stream('select id, name from users order by id')", 0, "");
    sqlite3_close(db);
    return 0;
}
