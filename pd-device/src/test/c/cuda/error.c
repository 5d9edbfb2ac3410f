// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// The names of results.
#include "cuda.h"

static const struct {
    int result;
    const char *name, *text;
} ERRORS[] = {
        {SUCCESS, "CUDA_SUCCESS", "no error"},
        {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
        {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
        {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
        {46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"},
        {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
        {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
        {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
        {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
        {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
        {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
        {NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
        {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
        {CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
        {HOST_MEMORY_ALREADY_REGISTERED,
                "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
                "part or all of the requested memory range is already mapped"},
        {HOST_MEMORY_NOT_REGISTERED,
                "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
                "pointer does not correspond to a registered memory region"},
        {MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
        {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
        {NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
        {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static int find_error(int result) {
    for (int i = 0; i < (int) (sizeof ERRORS / sizeof *ERRORS); i++) {
        if (ERRORS[i].result == result) {
            return i;
        }
    }
    return -1;
}

// An unknown result has no name: the pointer is then set to NULL.
EXPORT int cuGetErrorName(int result, const char **name) {
    if (!name) {
        return INVALID_VALUE;
    }
    int at = find_error(result);
    *name = at < 0 ? NULL : ERRORS[at].name;
    return at < 0 ? INVALID_VALUE : SUCCESS;
}

EXPORT int cuGetErrorString(int result, const char **text) {
    if (!text) {
        return INVALID_VALUE;
    }
    int at = find_error(result);
    *text = at < 0 ? NULL : ERRORS[at].text;
    return at < 0 ? INVALID_VALUE : SUCCESS;
}
