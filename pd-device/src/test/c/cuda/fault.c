// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// Faults that a test plans, and counters by which it finds what was not released. TestCuda.java has the same numbers.
#include "cuda.h"

#define NEVER (-1)

long faults[FAULTS];
int attributes[ATTRIBUTES];
long kernels, launches, bytes_copied;
// Calls that a real driver may crash at: a handle is none any more, or there is no context.
long misuses;
// Calls that had to wait for a kernel: it had not ended, or its context was destroyed before it was told to end.
long waits;

// The numbers of TestCuda.Counter.
enum counter {
    CONTEXTS,
    STREAMS,
    EVENTS,
    MODULES,
    REGISTRATIONS,
    DEVICE_MEMORY,
    KERNELS,
    MISUSES,
    WAITS,
    LAUNCHES,
    BYTES_COPIED
};

static void clear(void) {
    for (int i = 0; i < FAULTS; i++) {
        faults[i] = 0;
    }
    for (int i = 0; i < ATTRIBUTES; i++) {
        attributes[i] = ATTRIBUTE_UNSET;
    }
    faults[STALL_AFTER] = NEVER;
    faults[DEVICES] = 1;
    faults[DRIVER_VERSION] = 13000;
    misuses = 0;
    waits = 0;
    launches = 0;
    bytes_copied = 0;
}

__attribute__((constructor)) static void begin(void) {
    clear();
}

// Counts a planned fault down to 1, which is the time of it; 0 is none.
bool is_due(enum fault fault) {
    return faults[fault] > 0 && --faults[fault] == 0;
}

EXPORT void test_cuda_fault(int fault, long argument) {
    pthread_mutex_lock(&cuda_lock);
    if (fault >= 0 && fault < FAULTS) {
        faults[fault] = argument;
    }
    pthread_mutex_unlock(&cuda_lock);
}

EXPORT void test_cuda_attribute(int name, int value) {
    pthread_mutex_lock(&cuda_lock);
    if (name > 0 && name < ATTRIBUTES) {
        attributes[name] = value;
    }
    pthread_mutex_unlock(&cuda_lock);
}

// Plans no fault and begins to count afresh. What is live stays so, and so does that cuInit was called.
EXPORT void test_cuda_reset(void) {
    pthread_mutex_lock(&cuda_lock);
    clear();
    pthread_mutex_unlock(&cuda_lock);
}

static long value_of(int counter) {
    switch ((enum counter) counter) {
        case CONTEXTS:
            return count_of(CONTEXT);
        case STREAMS:
            return count_of(STREAM);
        case EVENTS:
            return count_of(EVENT);
        case MODULES:
            return count_of(MODULE);
        case REGISTRATIONS:
            return registrations();
        case DEVICE_MEMORY:
            return allocated();
        case KERNELS:
            return kernels;
        case MISUSES:
            return misuses;
        case WAITS:
            return waits;
        case LAUNCHES:
            return launches;
        case BYTES_COPIED:
            return bytes_copied;
    }
    return -1;
}

EXPORT long test_cuda_count(int counter) {
    pthread_mutex_lock(&cuda_lock);
    long value = value_of(counter);
    pthread_mutex_unlock(&cuda_lock);
    return value;
}
