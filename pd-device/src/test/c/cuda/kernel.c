// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// The kernel copy_lane, in C. It takes commands from a queue in the host's memory, copies, and writes completions there.
//
// Queue: 2^shift entries of 32 bytes. Position p is at slot p mod 2^shift. Its three words are source, destination and
// length, each shifted left by 16, and in the lower 16 bits the stamp of the round, ((p >> shift) + 1) & 0xFFFF.
// Completions: 2^shift words; after the copy of position p, word p mod 2^shift becomes p + 1.
// Control: the word at 0 asks the kernel to end, by the number of its launch; at 128 the kernel says that it did.
#include "cuda.h"

#include <string.h>
#include <time.h>

#define ENTRY_BYTES 32
#define ENTRY_WORDS (ENTRY_BYTES / 8)
#define ENDED_AT 128
#define BATCH 32
#define MAX_SHIFT 32
#define NANOS 1000000000u
// The bytes that one warp copies at a time; `most` limits how many of these units a batch has.
#define UNIT_BYTES 2048

struct command {
    uint64_t source, destination, length;
    const void *from;
    void *to;
};

// The queue as this process sees it.
struct queue {
    const uint64_t *entries, *control;
    uint64_t *done, *ended;
    uint64_t mask;
};

// What a batch found out about the end of its context: the error that comes after its completions.
struct batch {
    struct command commands[BATCH];
    unsigned count;
    int error;
};

static int map_queue(struct context *context, const struct lane *lane, struct queue *queue) {
    if ((lane->entries | lane->done | lane->control) % sizeof(uint64_t)) {
        return MISALIGNED_ADDRESS;
    }
    if (lane->shift > MAX_SHIFT) {
        return ILLEGAL_ADDRESS;
    }
    uint64_t size = 1ull << lane->shift;
    char *control = resolve(context, lane->control, ENDED_AT + sizeof(uint64_t), true);
    queue->entries = resolve(context, lane->entries, size * ENTRY_BYTES, false);
    queue->done = resolve(context, lane->done, size * sizeof(uint64_t), true);
    queue->control = (uint64_t *) control;
    queue->ended = control ? (uint64_t *) (control + ENDED_AT) : NULL;
    queue->mask = size - 1;
    return queue->entries && queue->done && control ? SUCCESS : ILLEGAL_ADDRESS;
}

// The warps that a command keeps busy, counted as the kernel's code does it: from an aligned destination on.
static uint64_t units(const struct command *command) {
    return (command->destination % 16 + command->length + UNIT_BYTES - 1) / UNIT_BYTES;
}

// Reads each word once, because the host may write it at any time.
static bool read_entry(const struct queue *queue, const struct lane *lane, uint64_t position, struct command *command) {
    const uint64_t *entry = queue->entries + (position & queue->mask) * ENTRY_WORDS;
    uint64_t stamp = ((position >> lane->shift) + 1) & 0xFFFF;
    uint64_t source = __atomic_load_n(entry, __ATOMIC_RELAXED);
    uint64_t destination = __atomic_load_n(entry + 1, __ATOMIC_RELAXED);
    uint64_t length = __atomic_load_n(entry + 2, __ATOMIC_RELAXED);
    *command = (struct command) {.source = source >> 16, .destination = destination >> 16, .length = length >> 16};
    return (source & 0xFFFF) == stamp && (destination & 0xFFFF) == stamp && (length & 0xFFFF) == stamp;
}

// Takes the successive entries that are there, as many as one batch may have.
static void look(const struct queue *queue, const struct lane *lane, uint64_t position, struct batch *batch) {
    uint64_t sum = 0;
    struct command *command = batch->commands;
    batch->count = 0;
    while (batch->count < BATCH && read_entry(queue, lane, position + batch->count, command)) {
        sum += units(command++);
        if (batch->count && sum > lane->most) {
            break;
        }
        batch->count++;
    }
    // What the host wrote before the entries is visible from here on.
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

// Shortens the batch before a planned fault or an address that is not the GPU's. Needs the lock. Each command before it
// is completed, so that a test knows what to expect.
static void admit(struct context *context, struct batch *batch) {
    unsigned count = batch->count;
    batch->error = SUCCESS;
    for (batch->count = 0; batch->count < count; batch->count++) {
        struct command *command = batch->commands + batch->count;
        if (faults[STALL_AFTER] == 0) {
            return;
        }
        if (is_due(LOSE_AT_COMMAND)) {
            batch->error = LAUNCH_FAILED;
            return;
        }
        command->from = resolve(context, command->source, command->length, false);
        command->to = resolve(context, command->destination, command->length, true);
        if (!command->from || !command->to) {
            batch->error = ILLEGAL_ADDRESS;
            return;
        }
        faults[STALL_AFTER] -= faults[STALL_AFTER] > 0;
    }
}

// Copies with the lock released, and keeps the completions back for as long as a test has planned.
static void copy(struct context *context, const struct batch *batch) {
    pthread_mutex_unlock(&cuda_lock);
    for (unsigned i = 0; i < batch->count; i++) {
        memmove(batch->commands[i].to, batch->commands[i].from, batch->commands[i].length);
    }
    pthread_mutex_lock(&cuda_lock);
    for (unsigned i = 0; i < batch->count; i++) {
        bytes_copied += (long) batch->commands[i].length;
    }
    uint64_t due = now() + (uint64_t) faults[LATE_MILLIS] * 1000000;
    while (batch->count && faults[LATE_MILLIS] > 0 && !is_over(context) && await_change_until(due)) {
    }
}

static void complete(const struct queue *queue, uint64_t position, unsigned count) {
    for (uint64_t p = position; p < position + count; p++) {
        __atomic_store_n(queue->done + (p & queue->mask), p + 1, __ATOMIC_RELEASE);
    }
}

// Runs a batch that was found, and says whether its context goes on.
static bool run_batch(struct context *context, const struct queue *queue, uint64_t position, struct batch *batch) {
    pthread_mutex_lock(&cuda_lock);
    admit(context, batch);
    copy(context, batch);
    if (!is_over(context)) {
        complete(queue, position, batch->count + (batch->count ? (unsigned) faults[EXTRA_COMPLETIONS] : 0));
        if (batch->error) {
            lose(context, batch->error);
        }
    }
    pthread_mutex_unlock(&cuda_lock);
    return !is_over(context);
}

static void nap(uint32_t nanos) {
    struct timespec time = {.tv_sec = nanos / NANOS, .tv_nsec = nanos % NANOS};
    nanosleep(&time, NULL);
}

// Runs until the host asks for the end, the turn is over, or nothing has come for a while. Without the lock.
static void serve(struct context *context, const struct lane *lane, const struct queue *queue) {
    uint64_t start = now(), worked = start, position = lane->position;
    struct batch batch;
    while (!is_over(context)) {
        uint64_t time = now();
        look(queue, lane, position, &batch);
        if (__atomic_load_n(queue->control, __ATOMIC_RELAXED) == lane->launch || time - start > lane->turn) {
            break;
        }
        if (!batch.count) {
            if (time - worked > lane->idle) {
                break;
            }
            nap(lane->nap);
            continue;
        }
        worked = time;
        if (!run_batch(context, queue, position, &batch)) {
            return;
        }
        position += batch.count;
        if (!batch.count) {
            // It is stalled by a planned fault, and looks again as if nothing were there.
            nap(lane->nap);
        }
    }
}

void run_lane(struct stream *stream, struct operation *operation) {
    struct context *context = stream->object.context;
    struct queue queue;
    int error = map_queue(context, &operation->lane, &queue);
    if (error) {
        lose(context, error);
        return;
    }
    kernels++;
    changed();
    while (operation->lane.hangs && !is_over(context)) {
        await_change();
    }
    pthread_mutex_unlock(&cuda_lock);
    serve(context, &operation->lane, &queue);
    pthread_mutex_lock(&cuda_lock);
    kernels--;
    bool asked = __atomic_load_n(queue.control, __ATOMIC_RELAXED) == operation->lane.launch;
    waits += context->ending && !context->sticky && !asked;
    // A context that is over takes the kernel with it, in the middle of its work.
    if (!is_over(context)) {
        __atomic_store_n(queue.ended, operation->lane.launch, __ATOMIC_RELEASE);
    }
}
