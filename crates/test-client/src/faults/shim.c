/* Faults on request, for `cargo xtask faults`: preloaded into a server, it reads a page that the test
 * shares with it and lets calls on the server's database fail, or the wall clock jump. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* What the test asks for. */
struct faults {
    volatile uint8_t write_fails; /* EIO for every write */
    volatile uint8_t sync_fails;  /* EIO for every sync, after the bytes were written */
    volatile uint8_t short_write; /* half of the bytes, then EIO */
    volatile uint8_t unused[5];
    volatile int64_t clock_offset; /* seconds added to the wall clock */
    volatile uint64_t failed;      /* how many calls were made to fail */
};

static struct faults *shared;

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("CONVOY_FAULTS");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *page = mmap(NULL, sizeof(struct faults), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED)
        shared = page;
    close(file);
}

/* Whether a file is the database, or lies beside it. */
static int is_database(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return strstr(path, "convoy.db") != NULL;
}

static int fails(volatile uint8_t *fault, int file) {
    if (!shared || !*fault || !is_database(file))
        return 0;
    __atomic_add_fetch(&shared->failed, 1, __ATOMIC_RELAXED);
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define WRITE_AT(name, offset_type)                                               \
    ssize_t name(int file, const void *bytes, size_t count, offset_type offset) { \
        static __typeof__(&name) real;                                            \
        if (!real)                                                                \
            real = REAL(name);                                                    \
        if (shared && fails(&shared->short_write, file)) {                        \
            (void)!real(file, bytes, count / 2, offset);                          \
            errno = EIO;                                                          \
            return -1;                                                            \
        }                                                                         \
        if (shared && fails(&shared->write_fails, file)) {                        \
            errno = EIO;                                                          \
            return -1;                                                            \
        }                                                                         \
        return real(file, bytes, count, offset);                                  \
    }

WRITE_AT(pwrite, off_t)
WRITE_AT(pwrite64, off64_t)

ssize_t write(int file, const void *bytes, size_t count) {
    static __typeof__(&write) real;
    if (!real)
        real = REAL(write);
    if (shared && fails(&shared->write_fails, file)) {
        errno = EIO;
        return -1;
    }
    return real(file, bytes, count);
}

#define SYNC(name)                                     \
    int name(int file) {                               \
        static __typeof__(&name) real;                 \
        if (!real)                                     \
            real = REAL(name);                         \
        if (shared && fails(&shared->sync_fails, file)) { \
            errno = EIO;                               \
            return -1;                                 \
        }                                              \
        return real(file);                             \
    }

SYNC(fsync)
SYNC(fdatasync)

int clock_gettime(clockid_t clock, struct timespec *now) {
    static __typeof__(&clock_gettime) real;
    if (!real)
        real = REAL(clock_gettime);
    int done = real(clock, now);
    if (done == 0 && clock == CLOCK_REALTIME && shared)
        now->tv_sec += shared->clock_offset;
    return done;
}
