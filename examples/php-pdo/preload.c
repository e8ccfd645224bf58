/* For programs that link the system's SQLite and cannot load extensions: it gives resq to every connection.
 *
 *     cc -shared -fPIC preload.c -o preload.so -lsqlite3 -ldl
 *     RESQ_EXTENSION=/path/libresq.so LD_PRELOAD=./preload.so PROGRAM
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

extern int sqlite3_auto_extension(void (*)(void));

__attribute__((constructor)) static void give_resq(void)
{
    const char *file = getenv("RESQ_EXTENSION");
    if (!file) {
        fputs("resq preload: RESQ_EXTENSION does not name libresq.so\n", stderr);
        return;
    }
    void *library = dlopen(file, RTLD_NOW);
    void (*entry)(void) = library ? (void (*)(void))dlsym(library, "sqlite3_resq_init") : 0;
    if (!entry)
        fprintf(stderr, "resq preload: %s\n", dlerror());
    else if (sqlite3_auto_extension(entry))
        fputs("resq preload: SQLite takes no automatic extension\n", stderr);
}
