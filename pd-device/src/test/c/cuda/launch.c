// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// The launch of the kernel copy_lane.
#include "cuda.h"

#define WARP 32u
#define BLOCK_THREADS 1024u

enum parameter { ENTRIES, DONE, CONTROL, POSITION, LAUNCH, SHIFT, IDLE, TURN, MOST, NAP, PARAMETERS };

static uint64_t u64(void **parameters, enum parameter which) {
    return *(const uint64_t *) parameters[which];
}

static uint32_t u32(void **parameters, enum parameter which) {
    return *(const uint32_t *) parameters[which];
}

// Reads the parameters during the call, as the driver does: the caller may use their memory again.
static int read_parameters(void **parameters, struct lane *lane) {
    for (int i = 0; i < PARAMETERS; i++) {
        if (!parameters[i]) {
            return INVALID_VALUE;
        }
    }
    *lane = (struct lane) {
            .entries = u64(parameters, ENTRIES),
            .done = u64(parameters, DONE),
            .control = u64(parameters, CONTROL),
            .position = u64(parameters, POSITION),
            .launch = u64(parameters, LAUNCH),
            .shift = u32(parameters, SHIFT),
            .idle = u64(parameters, IDLE),
            .turn = u64(parameters, TURN),
            .most = u32(parameters, MOST),
            .nap = u32(parameters, NAP),
    };
    return SUCCESS;
}

EXPORT int cuLaunchKernel(
        handle function,
        unsigned grid_x,
        unsigned grid_y,
        unsigned grid_z,
        unsigned block_x,
        unsigned block_y,
        unsigned block_z,
        unsigned shared_bytes,
        handle stream,
        void **parameters,
        void **extra) {
    // The kernel asks for no shared memory beyond its own.
    (void) shared_bytes;
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    struct function *found = find_in(context, function, FUNCTION);
    if (!found) {
        return leave(INVALID_HANDLE);
    }
    if (!found->copies_lane) {
        return leave(NOT_SUPPORTED);
    }
    if (grid_x != 1 || grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1 || !block_x || block_x % WARP
            || block_x > BLOCK_THREADS || !parameters || extra) {
        return leave(INVALID_VALUE);
    }
    struct operation operation = {.run = run_lane, .accesses = true};
    result = read_parameters(parameters, &operation.lane);
    if (result) {
        return leave(result);
    }
    operation.lane.hangs = faults[HANG] > 0;
    if (faults[ENDLESS]) {
        operation.lane.idle = operation.lane.turn = UINT64_MAX;
    }
    result = enqueue(stream, context, &operation, 1);
    if (!result) {
        faults[HANG] -= operation.lane.hangs;
        launches++;
    }
    return leave(result);
}
