// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// Copies and writes of a stream.
#include "cuda.h"

#include <stdlib.h>
#include <string.h>

// When a copy of a batch may read its source.
enum source_order { IN_STREAM_ORDER = 1, DURING_CALL = 2, AT_ANY_TIME = 3 };

struct location {
    int type, id;
};

struct copy_attributes {
    int source_order;
    struct location source, destination;
    unsigned flags;
};

static void run_copy(struct stream *stream, struct operation *operation) {
    struct context *context = stream->object.context;
    size_t length = operation->copy.length;
    const void *source = resolve(context, operation->copy.source, length, false);
    void *destination = resolve(context, operation->copy.destination, length, true);
    if (!source || !destination) {
        lose(context, ILLEGAL_ADDRESS);
        return;
    }
    pthread_mutex_unlock(&cuda_lock);
    memmove(destination, source, length);
    pthread_mutex_lock(&cuda_lock);
    bytes_copied += (long) length;
}

static int copy(device_pointer destination, device_pointer source, size_t length, handle stream) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    if (!destination || !source) {
        return leave(INVALID_VALUE);
    }
    struct operation operation = {.run = run_copy, .accesses = true, .copy = {destination, source, length}};
    return leave(enqueue(stream, context, &operation, 1));
}

// A real driver also accepts memory that is not registered and then copies it by way of its own. That is slow, so a
// caller in this project that does it has made a mistake, and finds it here.
EXPORT int cuMemcpyHtoDAsync_v2(device_pointer destination, const void *source, size_t length, handle stream) {
    return copy(destination, (uintptr_t) source, length, stream);
}

EXPORT int cuMemcpyDtoHAsync_v2(void *destination, device_pointer source, size_t length, handle stream) {
    return copy((uintptr_t) destination, source, length, stream);
}

// A batch's copies come with attributes: attributes[i] are those of the copies from firsts[i] on.
static int check(const struct copy_attributes *attributes, const size_t *firsts, size_t kinds, size_t count) {
    if (!attributes || !firsts || !kinds || kinds > count || firsts[0]) {
        return INVALID_VALUE;
    }
    for (size_t i = 0; i < kinds; i++) {
        if (firsts[i] >= count || (i && firsts[i] <= firsts[i - 1])) {
            return INVALID_VALUE;
        }
        if (attributes[i].source_order < IN_STREAM_ORDER || attributes[i].source_order > AT_ANY_TIME) {
            return INVALID_VALUE;
        }
        // All copies are made in the stream's order, which is right for any time, but too late for this one.
        if (attributes[i].source_order == DURING_CALL) {
            return NOT_SUPPORTED;
        }
    }
    return SUCCESS;
}

EXPORT int cuMemcpyBatchAsync_v2(
        device_pointer *destinations,
        device_pointer *sources,
        size_t *lengths,
        size_t count,
        struct copy_attributes *attributes,
        size_t *firsts,
        size_t kinds,
        handle stream) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    if (!destinations || !sources || !lengths || !count || !stream) {
        return leave(INVALID_VALUE);
    }
    result = check(attributes, firsts, kinds, count);
    if (result) {
        return leave(result);
    }
    struct operation *operations = calloc(count, sizeof *operations);
    if (!operations) {
        return leave(OUT_OF_MEMORY);
    }
    for (size_t i = 0; i < count && !result; i++) {
        operations[i] = (struct operation) {
                .run = run_copy, .accesses = true, .copy = {destinations[i], sources[i], lengths[i]}};
        result = destinations[i] && sources[i] ? SUCCESS : INVALID_VALUE;
    }
    if (!result) {
        result = enqueue(stream, context, operations, count);
    }
    free(operations);
    return leave(result);
}

static void run_write(struct stream *stream, struct operation *operation) {
    uint64_t *word = resolve(stream->object.context, operation->write.address, sizeof *word, true);
    if (word) {
        __atomic_store_n(word, operation->write.value + (uint64_t) faults[EXTRA_COMPLETIONS], __ATOMIC_RELEASE);
    } else {
        lose(stream->object.context, ILLEGAL_ADDRESS);
    }
}

// Flag 1 leaves the barrier before the write away; with it a host may see the word before what was copied.
EXPORT int cuStreamWriteValue64_v2(handle stream, device_pointer address, uint64_t value, unsigned flags) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    if (!address || address % sizeof value || flags > 1) {
        return leave(INVALID_VALUE);
    }
    struct operation operation = {.run = run_write, .accesses = true, .write = {address, value}};
    return leave(enqueue(stream, context, &operation, 1));
}
