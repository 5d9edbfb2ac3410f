// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// A small libcuda for tests on machines without a GPU: the functions of NVIDIA's driver API that this project calls,
// with the results and the threads that a GPU shows. What a GPU would run is a C function (kernel.c).
//
// One lock guards all state. One condition variable says that any of it has changed: tests have few threads, and a
// single one cannot be the wrong one. A thread that has waited looks its objects up again by their handles, because
// another thread may have destroyed them meanwhile.
#ifndef TEST_CUDA_H
#define TEST_CUDA_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

// Results of the driver API.
enum result {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_CONTEXT = 201,
    INVALID_PTX = 218,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
    ILLEGAL_ADDRESS = 700,
    CONTEXT_IS_DESTROYED = 709,
    HOST_MEMORY_ALREADY_REGISTERED = 712,
    HOST_MEMORY_NOT_REGISTERED = 713,
    MISALIGNED_ADDRESS = 716,
    LAUNCH_FAILED = 719,
    NOT_SUPPORTED = 801,
};

enum attribute {
    MULTIPROCESSORS = 16,
    HOST_REGISTER_SUPPORTED = 99,
    READ_ONLY_HOST_REGISTER_SUPPORTED = 113,
    ATTRIBUTES = 160,
};

#define DEVICE_MEMORY_BYTES (80ull << 30)
#define ATTRIBUTE_UNSET INT32_MIN

// Handles are numbers that are never used twice, so that a stale one is recognised and not followed.
typedef uintptr_t handle;
typedef uint64_t device_pointer;

enum kind { CONTEXT, STREAM, EVENT, MODULE, FUNCTION, KINDS };

struct context;

// What the structures behind all handles begin with.
struct object {
    handle handle;
    enum kind kind;
    struct context *context;
    struct object *next;
};

struct context {
    struct object object;
    int device;
    // The error that each later call returns; kernels read it without the lock.
    int sticky;
    // It is being destroyed: its handle finds it no more, and its streams end. Kernels read it without the lock.
    bool ending;
    // Operations at work that access memory.
    int accessing;
    // Calls that wait until `accessing` is 0.
    int releasing;
    // Destroyed streams, whose threads may still be at work.
    struct stream *destroyed;
};

struct module {
    struct object object;
    char *text;
};

struct function {
    struct object object;
    handle module;
    bool copies_lane;
};

// What one cuEventRecord promises. Operations that record it or wait for it keep it alive, as the event itself does.
struct record {
    int references;
    bool done;
};

struct event {
    struct object object;
    // The last one; NULL at first.
    struct record *record;
};

// The parameters of the kernel copy_lane.
struct lane {
    uint64_t entries, done, control, position, launch;
    uint32_t shift;
    uint64_t idle, turn;
    uint32_t most, nap;
    bool hangs;
};

struct stream {
    struct object object;
    pthread_t thread;
    // In the order of their calls. The first one is at work until it is taken out.
    struct operation *first;
    // Its thread ends when no operation is left.
    bool closing;
    struct stream *next_destroyed;
};

struct operation {
    struct operation *next;
    // Runs with the lock held on the stream's thread; releases it where it takes long.
    void (*run)(struct stream *, struct operation *);
    // Whether it accesses memory, which then must not be released.
    bool accesses;
    // NULL, or what is to be done when it has run or is dropped.
    void (*drop)(struct operation *);
    union {
        struct {
            device_pointer destination, source;
            size_t length;
        } copy;
        struct {
            device_pointer address;
            uint64_t value;
        } write;
        struct record *record;
        struct lane lane;
    };
};

// objects.c
extern pthread_mutex_t cuda_lock;
extern bool cuda_initialised;
int leave(int result);
void changed(void);
void await_change(void);
bool await_change_until(uint64_t nanos);
uint64_t now(void);
void *add(struct object *object, enum kind kind, struct context *context);
void *find(handle handle, enum kind kind);
void *find_in(struct context *context, handle handle, enum kind kind);
struct object *first_of(struct context *context, enum kind kind);
void take_out(struct object *object);
long count_of(enum kind kind);

// context.c
int enter(struct context **context);
void lose(struct context *context, int error);
bool is_over(const struct context *context);
int await_no_access(struct context **context);

// device.c
int attribute(int name, int device);

// memory.c
void *resolve(struct context *context, device_pointer address, uint64_t length, bool write);
void forget_memory(struct context *context);
long registrations(void);
long allocated(void);

// stream.c
int enqueue(handle stream, struct context *context, const struct operation *operations, size_t count);
void end_streams(struct context *context);

// event.c
void free_event(struct event *event);

// kernel.c, launched by launch.c
void run_lane(struct stream *stream, struct operation *operation);

// fault.c
enum fault {
    HANG,
    STALL_AFTER,
    LOSE_AT_COMMAND,
    LOSE_AT_CALL,
    LATE_MILLIS,
    FAIL_REGISTRATION,
    DEVICES,
    DRIVER_VERSION,
    FAIL_CONTEXT,
    EXTRA_COMPLETIONS,
    ENDLESS,
    FAULTS,
};
extern long faults[FAULTS];
extern int attributes[ATTRIBUTES];
extern long kernels, launches, bytes_copied, misuses, waits;
bool is_due(enum fault fault);

#endif
