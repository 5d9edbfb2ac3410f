// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// Streams. Each has a thread of its own, which runs its operations in the order of their calls.
#include "cuda.h"

#include <signal.h>
#include <stdlib.h>

#define NON_BLOCKING 1u

static void free_operation(struct operation *operation) {
    if (operation->drop) {
        operation->drop(operation);
    }
    free(operation);
}

static bool is_startable(const struct stream *stream) {
    const struct context *context = stream->object.context;
    return stream->first && !(stream->first->accesses && context->releasing);
}

static void run_first(struct stream *stream) {
    struct context *context = stream->object.context;
    struct operation *operation = stream->first;
    context->accessing += operation->accesses;
    operation->run(stream, operation);
    context->accessing -= operation->accesses;
}

static void *work(void *argument) {
    struct stream *stream = argument;
    pthread_mutex_lock(&cuda_lock);
    struct context *context = stream->object.context;
    for (;;) {
        while (!is_over(context) && !is_startable(stream) && !(stream->closing && !stream->first)) {
            await_change();
        }
        if (!is_over(context) && stream->first) {
            run_first(stream);
        }
        // A lost context runs no operation; those that are there are dropped, and none comes any more.
        struct operation *done = stream->first;
        if (done) {
            stream->first = done->next;
            free_operation(done);
            changed();
        } else if (context->ending || stream->closing) {
            break;
        } else {
            await_change();
        }
    }
    pthread_mutex_unlock(&cuda_lock);
    return NULL;
}

// The JVM's signals are for its own threads.
static int start(struct stream *stream) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&stream->thread, NULL, work, stream);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error ? OUT_OF_MEMORY : SUCCESS;
}

EXPORT int cuStreamCreate(handle *stream, unsigned flags) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    if (!stream || flags & ~NON_BLOCKING) {
        return leave(INVALID_VALUE);
    }
    struct stream *made = calloc(1, sizeof *made);
    if (!made) {
        return leave(OUT_OF_MEMORY);
    }
    made->object.context = context;
    result = start(made);
    if (result) {
        free(made);
        return leave(result);
    }
    add(&made->object, STREAM, context);
    *stream = made->object.handle;
    return leave(SUCCESS);
}

static void close_stream(struct stream *stream) {
    take_out(&stream->object);
    stream->closing = true;
    stream->next_destroyed = stream->object.context->destroyed;
    stream->object.context->destroyed = stream;
}

// Does not wait: what the stream has to do is still done.
EXPORT int cuStreamDestroy_v2(handle stream) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    struct stream *found = find_in(context, stream, STREAM);
    if (!found) {
        return leave(INVALID_HANDLE);
    }
    close_stream(found);
    return leave(SUCCESS);
}

// Called when the context is ending. Releases the lock meanwhile.
void end_streams(struct context *context) {
    struct object *object;
    while ((object = first_of(context, STREAM))) {
        close_stream((struct stream *) object);
    }
    struct stream *stream = context->destroyed;
    pthread_mutex_unlock(&cuda_lock);
    while (stream) {
        struct stream *next = stream->next_destroyed;
        pthread_join(stream->thread, NULL);
        free(stream);
        stream = next;
    }
    pthread_mutex_lock(&cuda_lock);
}

EXPORT int cuStreamQuery(handle stream) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    struct stream *found = find_in(context, stream, STREAM);
    return leave(!found ? INVALID_HANDLE : found->first ? NOT_READY : SUCCESS);
}

EXPORT int cuStreamSynchronize(handle stream) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    handle name = context->object.handle;
    for (;;) {
        struct stream *found = find_in(context, stream, STREAM);
        if (!found || !found->first) {
            return leave(found ? SUCCESS : INVALID_HANDLE);
        }
        await_change();
        context = find(name, CONTEXT);
        if (!context) {
            return leave(CONTEXT_IS_DESTROYED);
        }
        if (context->sticky) {
            return leave(context->sticky);
        }
    }
}

static void append(struct stream *stream, struct operation *chain) {
    struct operation **end = &stream->first;
    while (*end) {
        end = &(*end)->next;
    }
    *end = chain;
    changed();
}

// All operations or none. Stream 0, which waits for all other ones, is not here: nothing in this project may use it.
int enqueue(handle stream, struct context *context, const struct operation *operations, size_t count) {
    if (!stream) {
        return NOT_SUPPORTED;
    }
    struct stream *found = find_in(context, stream, STREAM);
    if (!found) {
        return INVALID_HANDLE;
    }
    struct operation *chain = NULL;
    for (size_t i = count; i-- > 0;) {
        struct operation *copy = malloc(sizeof *copy);
        if (!copy) {
            // Their `drop` is not called: what they refer to stays the caller's.
            while (chain) {
                struct operation *next = chain->next;
                free(chain);
                chain = next;
            }
            return OUT_OF_MEMORY;
        }
        *copy = operations[i];
        copy->next = chain;
        chain = copy;
    }
    append(found, chain);
    return SUCCESS;
}
