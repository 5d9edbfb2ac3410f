// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// The lock, the condition variable, and the table of all objects that have handles.
#include "cuda.h"

#include <errno.h>
#include <time.h>

#define NANOS 1000000000ull

pthread_mutex_t cuda_lock = PTHREAD_MUTEX_INITIALIZER;
bool cuda_initialised;

static pthread_cond_t change;
static struct object *objects;
// Not 0, which is the handle of nothing.
static handle last_handle = 0x1000;

// Timed waits must not depend on the time of day, which may be set.
__attribute__((constructor)) static void begin(void) {
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&change, &clock);
    pthread_condattr_destroy(&clock);
}

// Releases the lock and passes a result on, so that a call can end in one statement.
int leave(int result) {
    pthread_mutex_unlock(&cuda_lock);
    return result;
}

void changed(void) {
    pthread_cond_broadcast(&change);
}

void await_change(void) {
    pthread_cond_wait(&change, &cuda_lock);
}

// Whether that time has not come yet.
bool await_change_until(uint64_t nanos) {
    struct timespec time = {.tv_sec = (time_t) (nanos / NANOS), .tv_nsec = (long) (nanos % NANOS)};
    return pthread_cond_timedwait(&change, &cuda_lock, &time) != ETIMEDOUT;
}

uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t) time.tv_sec * NANOS + (uint64_t) time.tv_nsec;
}

void *add(struct object *object, enum kind kind, struct context *context) {
    object->handle = last_handle += 16;
    object->kind = kind;
    object->context = context;
    object->next = objects;
    objects = object;
    return object;
}

void *find(handle handle, enum kind kind) {
    for (struct object *o = objects; o; o = o->next) {
        if (o->handle == handle && o->kind == kind) {
            return o;
        }
    }
    return NULL;
}

// An object of another context is as unknown as none.
void *find_in(struct context *context, handle handle, enum kind kind) {
    struct object *object = find(handle, kind);
    if (!object || object->context != context) {
        misuses++;
        return NULL;
    }
    return object;
}

struct object *first_of(struct context *context, enum kind kind) {
    for (struct object *o = objects; o; o = o->next) {
        if (o->context == context && o->kind == kind) {
            return o;
        }
    }
    return NULL;
}

// Makes the handle unknown; the caller frees the structure.
void take_out(struct object *object) {
    struct object **at = &objects;
    while (*at != object) {
        at = &(*at)->next;
    }
    *at = object->next;
    changed();
}

long count_of(enum kind kind) {
    long count = 0;
    for (struct object *o = objects; o; o = o->next) {
        count += o->kind == kind;
    }
    return count;
}
