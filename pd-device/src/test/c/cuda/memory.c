// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// What a GPU can access: registered memory of the host, and memory of its own.
#include "cuda.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PORTABLE 1u
#define DEVICE_MAP 2u
#define READ_ONLY 8u

struct range {
    struct context *context;
    uint64_t start, length;
    // Where the bytes are. A GPU's own memory has an address that the host must not use, so they are elsewhere.
    char *bytes;
    bool registered, portable, read_only;
    struct range *next;
};

// A page is neither readable only nor writable where nothing is mapped.
enum protection { UNMAPPED, READABLE, WRITABLE };

static struct range *ranges;

static bool reaches(const struct range *range, const struct context *context) {
    return range->context == context || range->portable;
}

// Gives where the bytes are if all of them lie in one range that this context may access so; else NULL.
void *resolve(struct context *context, device_pointer address, uint64_t length, bool write) {
    for (struct range *r = ranges; r; r = r->next) {
        uint64_t offset = address - r->start;
        if (reaches(r, context) && address >= r->start && offset <= r->length && length <= r->length - offset) {
            // Ranges do not overlap, but an empty access may touch two of them.
            return write && r->read_only ? NULL : r->bytes + offset;
        }
    }
    return NULL;
}

static void remove_range(struct range **at) {
    struct range *range = *at;
    *at = range->next;
    if (!range->registered) {
        munmap(range->bytes, range->length);
        munmap((void *) (uintptr_t) range->start, range->length);
    }
    free(range);
}

static struct range **find_range(uint64_t start, bool registered) {
    struct range **at = &ranges;
    while (*at && ((*at)->start != start || (*at)->registered != registered)) {
        at = &(*at)->next;
    }
    return at;
}

// The end of a context releases all that it had.
void forget_memory(struct context *context) {
    for (struct range **at = &ranges; *at;) {
        if ((*at)->context == context) {
            remove_range(at);
        } else {
            at = &(*at)->next;
        }
    }
}

long registrations(void) {
    long count = 0;
    for (struct range *r = ranges; r; r = r->next) {
        count += r->registered;
    }
    return count;
}

long allocated(void) {
    long bytes = 0;
    for (struct range *r = ranges; r; r = r->next) {
        bytes += r->registered ? 0 : (long) r->length;
    }
    return bytes;
}

// What the process itself may do with all of that memory.
static enum protection protection_of(uint64_t start, uint64_t length) {
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) {
        return UNMAPPED;
    }
    enum protection all = WRITABLE;
    uint64_t at = start, end = start + length, from, to;
    char access[5], line[8192];
    // Mappings are in the order of their addresses.
    while (at < end && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &from, &to, access) != 3 || to <= at) {
            continue;
        }
        if (from > at || access[0] != 'r') {
            break;
        }
        all = access[1] == 'w' ? all : READABLE;
        at = to;
    }
    fclose(maps);
    return at < end ? UNMAPPED : all;
}

// The check of a registration's arguments, in the order in which a driver finds out.
static int check(struct context *context, uint64_t start, size_t length, unsigned flags) {
    if (!start || !length || start + length < start || flags & ~(PORTABLE | DEVICE_MAP | READ_ONLY)) {
        return INVALID_VALUE;
    }
    if (!attribute(HOST_REGISTER_SUPPORTED, context->device)
            || (flags & READ_ONLY && !attribute(READ_ONLY_HOST_REGISTER_SUPPORTED, context->device))) {
        return NOT_SUPPORTED;
    }
    for (struct range *r = ranges; r; r = r->next) {
        // Pages are pinned for the process, whatever context asks.
        if (r->registered && start < r->start + r->length && r->start < start + length) {
            return HOST_MEMORY_ALREADY_REGISTERED;
        }
    }
    enum protection protection = protection_of(start, length);
    return protection == UNMAPPED || (protection == READABLE && !(flags & READ_ONLY)) ? INVALID_VALUE : SUCCESS;
}

// Whether a registration fails, as planned.
static bool fails(void) {
    if (faults[FAIL_REGISTRATION] > 1) {
        faults[FAIL_REGISTRATION]--;
        return false;
    }
    return faults[FAIL_REGISTRATION] == 1;
}

EXPORT int cuMemHostRegister_v2(void *memory, size_t length, unsigned flags) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    result = check(context, (uintptr_t) memory, length, flags);
    if (!result && fails()) {
        result = OUT_OF_MEMORY;
    }
    struct range *range = result ? NULL : calloc(1, sizeof *range);
    if (!range) {
        return leave(result ? result : OUT_OF_MEMORY);
    }
    *range = (struct range) {
            .context = context,
            .start = (uintptr_t) memory,
            .length = length,
            .bytes = memory,
            .registered = true,
            .portable = flags & PORTABLE,
            .read_only = flags & READ_ONLY,
            .next = ranges,
    };
    ranges = range;
    return leave(SUCCESS);
}

static bool is_registered(struct context *context, uint64_t start) {
    struct range *range = *find_range(start, true);
    return range && reaches(range, context);
}

// Waits for kernels, whatever memory they access: an H100 took 95 ms beside a kernel of 100 ms.
EXPORT int cuMemHostUnregister(void *memory) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    if (!memory) {
        return leave(INVALID_VALUE);
    }
    if (!is_registered(context, (uintptr_t) memory)) {
        return leave(HOST_MEMORY_NOT_REGISTERED);
    }
    result = await_no_access(&context);
    if (result) {
        return leave(result);
    }
    // Another thread may have been first.
    if (!is_registered(context, (uintptr_t) memory)) {
        return leave(HOST_MEMORY_NOT_REGISTERED);
    }
    remove_range(find_range((uintptr_t) memory, true));
    return leave(SUCCESS);
}

EXPORT int cuMemHostGetDevicePointer_v2(device_pointer *pointer, void *memory, unsigned flags) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    uint64_t address = (uintptr_t) memory;
    if (!pointer || flags || resolve(context, address, 1, false) != memory) {
        return leave(INVALID_VALUE);
    }
    *pointer = address;
    return leave(SUCCESS);
}

EXPORT int cuMemAlloc_v2(device_pointer *pointer, size_t length) {
    struct context *context;
    int result = enter(&context);
    if (result) {
        return result;
    }
    if (!pointer || !length) {
        return leave(INVALID_VALUE);
    }
    if (length > DEVICE_MEMORY_BYTES - (size_t) allocated()) {
        return leave(OUT_OF_MEMORY);
    }
    struct range *range = calloc(1, sizeof *range);
    void *address = mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void *bytes =
            mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!range || address == MAP_FAILED || bytes == MAP_FAILED) {
        free(range);
        address == MAP_FAILED ? 0 : munmap(address, length);
        bytes == MAP_FAILED ? 0 : munmap(bytes, length);
        return leave(OUT_OF_MEMORY);
    }
    *range = (struct range) {
            .context = context, .start = (uintptr_t) address, .length = length, .bytes = bytes, .next = ranges};
    ranges = range;
    *pointer = range->start;
    return leave(SUCCESS);
}

static bool is_allocated(struct context *context, uint64_t start) {
    struct range *range = *find_range(start, false);
    return range && range->context == context;
}

EXPORT int cuMemFree_v2(device_pointer pointer) {
    struct context *context;
    int result = enter(&context);
    if (result || !pointer) {
        return result ? result : leave(SUCCESS);
    }
    if (!is_allocated(context, pointer)) {
        return leave(INVALID_VALUE);
    }
    result = await_no_access(&context);
    if (result) {
        return leave(result);
    }
    if (!is_allocated(context, pointer)) {
        return leave(INVALID_VALUE);
    }
    remove_range(find_range(pointer, false));
    return leave(SUCCESS);
}
