// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// Contexts: which one a thread uses, how one is lost, and how one ends.
#include "cuda.h"

#include <stdlib.h>

// Scheduling, local memory, and synchronous calls: all flags that cuCtxCreate knows.
#define CONTEXT_FLAGS 0x9fu

// The handle, because the context may end while threads still use it.
static __thread handle current;

// Begins each call that needs a context. The lock is held on success only.
int enter(struct context **context) {
    pthread_mutex_lock(&cuda_lock);
    if (!cuda_initialised) {
        return leave(NOT_INITIALIZED);
    }
    if (!current) {
        misuses++;
        return leave(INVALID_CONTEXT);
    }
    *context = find(current, CONTEXT);
    if (!*context) {
        misuses++;
        return leave(CONTEXT_IS_DESTROYED);
    }
    if (is_due(LOSE_AT_CALL)) {
        lose(*context, LAUNCH_FAILED);
    }
    return (*context)->sticky ? leave((*context)->sticky) : SUCCESS;
}

// The first error stays: a GPU reports what broke the context, not what followed from it.
void lose(struct context *context, int error) {
    if (!context->sticky) {
        __atomic_store_n(&context->sticky, error, __ATOMIC_RELAXED);
        changed();
    }
}

// Whether operations of this context are to end. Needs no lock.
bool is_over(const struct context *context) {
    return __atomic_load_n(&context->ending, __ATOMIC_RELAXED) || __atomic_load_n(&context->sticky, __ATOMIC_RELAXED);
}

// Waits until no operation accesses memory, as calls do that release memory. New operations do not begin meanwhile, so
// that streams which are never all idle cannot keep this call waiting for ever. Holds the lock in any case.
int await_no_access(struct context **context) {
    handle name = (*context)->object.handle;
    waits += kernels > 0;
    (*context)->releasing++;
    while ((*context)->accessing && !(*context)->sticky) {
        await_change();
        *context = find(name, CONTEXT);
        if (!*context) {
            return CONTEXT_IS_DESTROYED;
        }
    }
    (*context)->releasing--;
    changed();
    return (*context)->sticky;
}

EXPORT int cuCtxCreate_v2(handle *context, unsigned flags, int device) {
    pthread_mutex_lock(&cuda_lock);
    if (!cuda_initialised) {
        return leave(NOT_INITIALIZED);
    }
    if (!context || flags & ~CONTEXT_FLAGS) {
        return leave(INVALID_VALUE);
    }
    if (device < 0 || device >= faults[DEVICES]) {
        return leave(INVALID_DEVICE);
    }
    if (faults[FAIL_CONTEXT]) {
        return leave((int) faults[FAIL_CONTEXT]);
    }
    struct context *made = calloc(1, sizeof *made);
    if (!made) {
        return leave(OUT_OF_MEMORY);
    }
    made->device = device;
    add(&made->object, CONTEXT, NULL);
    current = *context = made->object.handle;
    return leave(SUCCESS);
}

EXPORT int cuCtxSetCurrent(handle context) {
    pthread_mutex_lock(&cuda_lock);
    if (!cuda_initialised) {
        return leave(NOT_INITIALIZED);
    }
    if (context && !find(context, CONTEXT)) {
        return leave(INVALID_CONTEXT);
    }
    current = context;
    return leave(SUCCESS);
}

static void free_objects(struct context *context) {
    struct object *object;
    while ((object = first_of(context, FUNCTION))) {
        take_out(object);
        free(object);
    }
    while ((object = first_of(context, MODULE))) {
        take_out(object);
        free(((struct module *) object)->text);
        free(object);
    }
    while ((object = first_of(context, EVENT))) {
        free_event((struct event *) object);
    }
}

// Works on a lost context too: it is the only way to get rid of one.
EXPORT int cuCtxDestroy_v2(handle context) {
    pthread_mutex_lock(&cuda_lock);
    if (!cuda_initialised) {
        return leave(NOT_INITIALIZED);
    }
    struct context *ended = find(context, CONTEXT);
    if (!ended) {
        return leave(context ? INVALID_CONTEXT : INVALID_VALUE);
    }
    if (current == context) {
        current = 0;
    }
    take_out(&ended->object);
    __atomic_store_n(&ended->ending, true, __ATOMIC_RELAXED);
    changed();
    end_streams(ended);
    free_objects(ended);
    forget_memory(ended);
    free(ended);
    return leave(SUCCESS);
}
