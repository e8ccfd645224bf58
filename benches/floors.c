/* Floors: what any aggregate with these arguments costs, before it makes JSON.
 *
 *   nothing   is called
 *   reads     asks for its state and for every argument: type, then text or BLOB and its length, integer, real; of text the
 *             subtype too, since a value may be JSON already (R6)
 *   copies    the same, and appends as many bytes as come out: the value's own bytes, the rest from a constant
 *
 * A shared library, as resq is: a call costs more where caller and callee lie far apart in memory, as a library and a
 * program do, so that floors inside the bench would be too low beside a built-in SQLite and too high beside a shared one.
 * They call SQLite as resq does, through a pointer each, from a table found once. Arguments come in pairs.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { INTEGER = 1, REAL = 2, TEXT = 3, BLOB = 4 };

/* The bench fills this in, in this order (floors.rs). */
struct api {
    void *(*aggregate_context)(void *, int);
    int (*value_type)(void *);
    long long (*value_int64)(void *);
    double (*value_double)(void *);
    const unsigned char *(*value_text)(void *);
    const void *(*value_blob)(void *);
    int (*value_bytes)(void *);
    unsigned (*value_subtype)(void *);
    void *(*realloc64)(void *, uint64_t);
    void (*free)(void *);
    void (*result_int64)(void *, long long);
    void (*result_text64)(void *, const char *, uint64_t, void (*)(void *), unsigned char);
};

static struct api api;
/* Bytes that one row is to append on average. */
static int64_t row_bytes;
static char source[1 << 16];

void floors_install(const struct api *with)
{
    api = *with;
    memset(source, 'x', sizeof source);
}

void floors_row_bytes(int64_t bytes)
{
    row_bytes = bytes;
}

void nothing(void *context, int count, void **values)
{
    (void)context, (void)count, (void)values;
}

void nothing_final(void *context)
{
    api.result_int64(context, 0);
}

/* A value: its bytes and their number, or null and a number. */
struct seen {
    const char *bytes;
    uint64_t number;
};

static inline struct seen text(void *value)
{
    const char *bytes = (const char *)api.value_text(value);
    uint64_t count = (uint64_t)api.value_bytes(value);
    volatile unsigned subtype = api.value_subtype(value);
    (void)subtype;
    return (struct seen){bytes, count};
}

static inline struct seen read_key(void *value)
{
    return api.value_type(value) == TEXT ? text(value) : (struct seen){NULL, 0};
}

static inline struct seen read_value(void *value)
{
    switch (api.value_type(value)) {
    case INTEGER:
        return (struct seen){NULL, (uint64_t)api.value_int64(value)};
    case REAL:
        return (struct seen){NULL, (uint64_t)api.value_double(value)};
    case TEXT:
        return text(value);
    case BLOB: {
        const char *bytes = api.value_blob(value);
        return (struct seen){bytes, (uint64_t)api.value_bytes(value)};
    }
    default:
        return (struct seen){NULL, 0};
    }
}

void reads(void *context, int count, void **values)
{
    uint64_t *sum = api.aggregate_context(context, sizeof *sum);
    uint64_t new = *sum;
    for (int i = 0; i + 1 < count; i += 2) {
        struct seen key = read_key(values[i]), value = read_value(values[i + 1]);
        new += ((uintptr_t)key.bytes ^ key.number) + ((uintptr_t)value.bytes ^ value.number);
    }
    *sum = new;
}

void reads_final(void *context)
{
    uint64_t *sum = api.aggregate_context(context, sizeof *sum);
    api.result_int64(context, (long long)(*sum & 1));
}

/* The copies floor's text; `owed` bytes came out of rows and were not copied yet (below 0 where rows were longer). */
struct copy {
    char *start;
    size_t length, capacity;
    int64_t owed;
};

static inline void append(struct copy *copy, const char *bytes, size_t count)
{
    if (copy->capacity - copy->length < count) {
        size_t need = copy->length + count;
        copy->capacity = need > 2 * copy->capacity ? need : 2 * copy->capacity;
        if (copy->capacity < 512)
            copy->capacity = 512;
        copy->start = api.realloc64(copy->start, copy->capacity + 1);
    }
    memcpy(copy->start + copy->length, bytes, count);
    copy->length += count;
}

void copies(void *context, int count, void **values)
{
    struct copy *copy = api.aggregate_context(context, sizeof *copy);
    volatile uint64_t number;
    copy->owed += row_bytes;
    for (int i = 0; i + 1 < count; i += 2) {
        /* A key's bytes are in the constant part. */
        number = read_key(values[i]).number;
        struct seen value = read_value(values[i + 1]);
        if (value.bytes) {
            append(copy, value.bytes, value.number);
            copy->owed -= (int64_t)value.number;
        } else {
            number = value.number;
        }
    }
    (void)number;
    if (copy->owed > 0) {
        append(copy, source, (size_t)copy->owed);
        copy->owed = 0;
    }
}

void copies_final(void *context)
{
    struct copy *copy = api.aggregate_context(context, sizeof *copy);
    copy->start[copy->length] = 0;
    api.result_text64(context, copy->start, copy->length, api.free, 1);
}
