/* An extension that registers nothing: what loading costs by itself. */
int sqlite3_extension_init(void *db, char **message, const void *api)
{
    (void)db, (void)message, (void)api;
    return 0;
}
