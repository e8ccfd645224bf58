/* Registers resq with the system's SQLite before a program that cannot load extensions opens a connection:
 *
 *     cc -shared -fPIC preload.c -o preload.so -lsqlite3 -ldl
 *     RESQ=/path/libresq.so LD_PRELOAD=./preload.so PROGRAM
 *
 * It serves programs that link libsqlite3.so, not those that bring a SQLite of their own. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

extern int sqlite3_auto_extension(void (*)(void));

__attribute__((constructor)) static void register_resq(void) {
    const char *file = getenv("RESQ");
    void *library = file ? dlopen(file, RTLD_NOW) : NULL;
    void (*entry)(void) = NULL;
    /* As POSIX has it: C has no cast from an object's pointer to a function's. */
    if (library) *(void **)&entry = dlsym(library, "sqlite3_resq_init");
    if (!entry || sqlite3_auto_extension(entry) != 0) {
        fprintf(stderr, "preload: %s\n", file ? dlerror() : "the variable RESQ names no file");
        exit(1);
    }
}
