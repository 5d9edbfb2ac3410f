// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

/** The functions of CUDA's driver API that are used. Those of {@link #isOptional} are not in all supported drivers. */
enum CudaFunction {
    INIT("cuInit"),
    DRIVER_GET_VERSION("cuDriverGetVersion"),
    DEVICE_GET_COUNT("cuDeviceGetCount"),
    DEVICE_GET("cuDeviceGet"),
    DEVICE_GET_NAME("cuDeviceGetName"),
    DEVICE_GET_ATTRIBUTE("cuDeviceGetAttribute"),
    CTX_CREATE("cuCtxCreate_v2"),
    CTX_DESTROY("cuCtxDestroy_v2"),
    CTX_SET_CURRENT("cuCtxSetCurrent"),
    MEM_HOST_REGISTER("cuMemHostRegister_v2"),
    MEM_HOST_UNREGISTER("cuMemHostUnregister"),
    MODULE_LOAD_DATA_EX("cuModuleLoadDataEx"),
    MODULE_GET_FUNCTION("cuModuleGetFunction"),
    LAUNCH_KERNEL("cuLaunchKernel"),
    STREAM_CREATE("cuStreamCreate"),
    STREAM_QUERY("cuStreamQuery"),
    MEM_ALLOC("cuMemAlloc_v2"),
    MEMCPY_HTOD_ASYNC("cuMemcpyHtoDAsync_v2"),
    MEMCPY_DTOH_ASYNC("cuMemcpyDtoHAsync_v2"),
    MEMCPY_BATCH_ASYNC("cuMemcpyBatchAsync_v2"),
    EVENT_CREATE("cuEventCreate"),
    EVENT_RECORD("cuEventRecord"),
    STREAM_WAIT_EVENT("cuStreamWaitEvent"),
    STREAM_WRITE_VALUE_64("cuStreamWriteValue64_v2"),
    GET_ERROR_NAME("cuGetErrorName"),
    GET_ERROR_STRING("cuGetErrorString");

    private final String symbol;

    CudaFunction(String symbol) {
        this.symbol = symbol;
    }

    /** The name that the library exports. */
    String symbol() {
        return symbol;
    }

    /** Whether a driver may lack the function. */
    boolean isOptional() {
        return this == MEMCPY_BATCH_ASYNC;
    }
}
