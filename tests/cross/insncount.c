/* A qemu plugin that counts the instructions a program executes: exact, and the same on every run.
 *
 * Written against the stable part of the plugin interface, whose declarations are repeated here because Debian has
 * no package with the header. qemu translates a block of instructions once and runs it often, so what
 * is kept is a length and a count per block. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))
typedef uint64_t plugin_id;
struct qemu_plugin_tb;
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int, void *);
extern void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);

EXPORT int qemu_plugin_version = 1;

struct block {
    uint64_t length, runs;
    struct block *next;
};
static struct block *blocks; /* the program has one thread */

static void on_run(unsigned cpu, void *block) {
    (void)cpu;
    ((struct block *)block)->runs++;
}

static void on_translation(plugin_id id, struct qemu_plugin_tb *translated) {
    (void)id;
    struct block *block = calloc(1, sizeof *block);
    if (!block) abort();
    block->length = qemu_plugin_tb_n_insns(translated);
    block->next = blocks;
    blocks = block;
    qemu_plugin_register_vcpu_tb_exec_cb(translated, on_run, 0 /* registers untouched */, block);
}

static void on_exit_of_program(plugin_id id, void *unused) {
    (void)id;
    (void)unused;
    uint64_t total = 0;
    for (struct block *block = blocks; block; block = block->next) total += block->length * block->runs;
    fprintf(stderr, "instructions %llu\n", (unsigned long long)total);
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit_of_program, NULL);
    return 0;
}
