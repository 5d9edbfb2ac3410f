// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// Events, by which one stream waits for another.
#include "cuda.h"

#include <stdlib.h>

// Blocking waits, no timing, between processes.
#define EVENT_FLAGS 7u

static void release(struct record *record) {
    if (record && --record->references == 0) {
        free(record);
    }
}

void free_event(struct event *event) {
    release(event->record);
    take_out(&event->object);
    free(event);
}

static void drop(struct operation *operation) {
    release(operation->record);
}

static void run_record(struct stream *stream, struct operation *operation) {
    (void) stream;
    operation->record->done = true;
    changed();
}

static void run_wait(struct stream *stream, struct operation *operation) {
    while (!operation->record->done && !is_over(stream->object.context)) {
        await_change();
    }
}

EXPORT int cuEventCreate(handle *event, unsigned flags) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    if (!event || flags & ~EVENT_FLAGS) {
        return leave(INVALID_VALUE);
    }
    struct event *made = calloc(1, sizeof *made);
    if (!made) {
        return leave(OUT_OF_MEMORY);
    }
    add(&made->object, EVENT, context);
    *event = made->object.handle;
    return leave(SUCCESS);
}

// Streams that wait for it go on waiting.
EXPORT int cuEventDestroy_v2(handle event) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    struct event *found = find_in(context, event, EVENT);
    if (!found) {
        return leave(INVALID_HANDLE);
    }
    free_event(found);
    return leave(SUCCESS);
}

EXPORT int cuEventRecord(handle event, handle stream) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    struct event *found = find_in(context, event, EVENT);
    if (!found) {
        return leave(INVALID_HANDLE);
    }
    struct record *record = calloc(1, sizeof *record);
    if (!record) {
        return leave(OUT_OF_MEMORY);
    }
    // The event's and the operation's.
    record->references = 2;
    struct operation operation = {.run = run_record, .drop = drop, .record = record};
    result = enqueue(stream, context, &operation, 1);
    if (result) {
        free(record);
        return leave(result);
    }
    release(found->record);
    found->record = record;
    return leave(SUCCESS);
}

// An event that was never recorded delays nothing. A later record does not change what is waited for.
EXPORT int cuStreamWaitEvent(handle stream, handle event, unsigned flags) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    struct event *found = find_in(context, event, EVENT);
    if (!found || !find_in(context, stream, STREAM)) {
        return leave(INVALID_HANDLE);
    }
    if (flags) {
        return leave(INVALID_VALUE);
    }
    if (!found->record) {
        return leave(SUCCESS);
    }
    struct operation operation = {.run = run_wait, .drop = drop, .record = found->record};
    result = enqueue(stream, context, &operation, 1);
    if (!result) {
        found->record->references++;
    }
    return leave(result);
}
