// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// The driver's and the devices' properties. The devices are alike but for their addresses on the PCI bus.
#include "cuda.h"

#include <stdio.h>

#define PCI_BUS 33
#define FIRST_BUS 0x1b

// Before cuInit there are no devices.
static int check(const void *answer, int device) {
    if (!cuda_initialised) {
        return NOT_INITIALIZED;
    }
    if (!answer) {
        return INVALID_VALUE;
    }
    return device < 0 || device >= faults[DEVICES] ? INVALID_DEVICE : SUCCESS;
}

// The values of an H100, as far as this project asks for them. A known attribute that is not here is 0.
int attribute(int name, int device) {
    if (attributes[name] != ATTRIBUTE_UNSET) {
        return attributes[name];
    }
    switch (name) {
        case 1: // threads of a block
            return 1024;
        case 10: // threads of a warp
            return 32;
        case MULTIPROCESSORS:
            return 132;
        case 31: // concurrent kernels
            return 1;
        case PCI_BUS:
            return FIRST_BUS + device;
        case 40: // copy engines
            return 3;
        case 41: // unified addressing
            return 1;
        case 75: // compute capability, major
            return 9;
        case 91: // device pointers of registered memory equal the host's
        case HOST_REGISTER_SUPPORTED:
        case READ_ONLY_HOST_REGISTER_SUPPORTED:
            return 1;
        default:
            return 0;
    }
}

EXPORT int cuInit(unsigned flags) {
    pthread_mutex_lock(&cuda_lock);
    if (flags) {
        return leave(INVALID_VALUE);
    }
    cuda_initialised = faults[DEVICES] > 0;
    return leave(cuda_initialised ? SUCCESS : NO_DEVICE);
}

// The only call besides the names of errors that works before cuInit.
EXPORT int cuDriverGetVersion(int *version) {
    if (!version) {
        return INVALID_VALUE;
    }
    pthread_mutex_lock(&cuda_lock);
    *version = (int) faults[DRIVER_VERSION];
    return leave(SUCCESS);
}

EXPORT int cuDeviceGetCount(int *count) {
    pthread_mutex_lock(&cuda_lock);
    if (!cuda_initialised) {
        return leave(NOT_INITIALIZED);
    }
    if (!count) {
        return leave(INVALID_VALUE);
    }
    *count = (int) faults[DEVICES];
    return leave(SUCCESS);
}

EXPORT int cuDeviceGet(int *device, int ordinal) {
    pthread_mutex_lock(&cuda_lock);
    int result = check(device, ordinal);
    if (result == SUCCESS) {
        *device = ordinal;
    }
    return leave(result);
}

EXPORT int cuDeviceGetName(char *name, int length, int device) {
    pthread_mutex_lock(&cuda_lock);
    int result = check(name, device);
    if (result == SUCCESS && length <= 0) {
        result = INVALID_VALUE;
    }
    if (result == SUCCESS) {
        snprintf(name, (size_t) length, "Test GPU %d", device);
    }
    return leave(result);
}

EXPORT int cuDeviceGetAttribute(int *value, int name, int device) {
    pthread_mutex_lock(&cuda_lock);
    int result = check(value, device);
    if (result == SUCCESS && (name < 1 || name >= ATTRIBUTES)) {
        result = INVALID_VALUE;
    }
    if (result == SUCCESS) {
        *value = attribute(name, device);
    }
    return leave(result);
}

EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device) {
    pthread_mutex_lock(&cuda_lock);
    int result = check(bytes, device);
    if (result == SUCCESS) {
        *bytes = DEVICE_MEMORY_BYTES;
    }
    return leave(result);
}
