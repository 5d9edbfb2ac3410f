// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

/** Why a GPU cannot be used, and what to do about it: one sentence each. */
final class CudaObstacle {
    private static final int NO_MEMORY = 2;
    private static final int STUB_LIBRARY = 34;
    private static final int DEVICE_UNAVAILABLE = 46;
    private static final int NO_DEVICE = 100;
    private static final int OPERATING_SYSTEM = 304;
    private static final int SYSTEM_NOT_READY = 802;
    private static final int SYSTEM_DRIVER_MISMATCH = 803;
    private static final int COMPAT_NOT_SUPPORTED = 804;
    private static final int UNKNOWN = 999;

    private CudaObstacle() {}

    static String noLibrary(String name) {
        return "CUDA's driver library " + name + " is not there: install NVIDIA's driver (in a container: let the"
                + " container runtime pass the GPU in), or name the library's file in"
                + " pipedevice.driver.cuda.library";
    }

    static String tooOld(String library, String symbol) {
        return "NVIDIA's driver is too old: " + library + " has no function " + symbol
                + ", and the driver of CUDA 11.7 (R515) or later is needed";
    }

    /** The sentence for a failed initialisation. */
    static String initialisation(CudaException e) {
        return switch (e.code()) {
            case NO_DEVICE ->
                "no GPU is visible to this process (" + e.getMessage() + "): look at 'nvidia-smi -L' and at"
                        + " CUDA_VISIBLE_DEVICES; a GPU in MIG mode needs an instance, and CUDA_VISIBLE_DEVICES names it";
            case STUB_LIBRARY ->
                "the library is the stub for linking (" + e.getMessage() + "): name the driver's own in"
                        + " pipedevice.driver.cuda.library";
            case OPERATING_SYSTEM, UNKNOWN ->
                "the GPU cannot be opened (" + e.getMessage() + "): this user needs to read and write /dev/nvidiactl,"
                        + " /dev/nvidia-uvm and /dev/nvidia0";
            case SYSTEM_NOT_READY ->
                "the machine's NVSwitch is not ready (" + e.getMessage() + "): start nvidia-fabricmanager";
            case SYSTEM_DRIVER_MISMATCH, COMPAT_NOT_SUPPORTED ->
                "libcuda and the kernel's driver do not match (" + e.getMessage()
                        + "): reboot after an update, or remove" + " the compatibility library";
            default -> "CUDA cannot be initialised: " + e.getMessage();
        };
    }

    /** The sentence for a context that cannot be created. */
    static String context(CudaException e) {
        return switch (e.code()) {
            case DEVICE_UNAVAILABLE ->
                "the GPU is used by another process alone (" + e.getMessage() + "): its compute mode is exclusive, see"
                        + " 'nvidia-smi -q -d COMPUTE'";
            case NO_MEMORY -> "the GPU has no memory left for a context (" + e.getMessage() + ')';
            default -> "no context can be created: " + e.getMessage();
        };
    }

    /** The sentence for memory that cannot be registered. */
    static String registration(CudaException e, long size) {
        return e.code() == NO_MEMORY
                ? "the kernel cannot pin " + size + " bytes of rings for the GPU (" + e.getMessage()
                        + "): raise 'ulimit -l', or lower pipedevice.driver.total.memory"
                : "rings of " + size + " bytes cannot be registered with the GPU: " + e.getMessage();
    }
}
