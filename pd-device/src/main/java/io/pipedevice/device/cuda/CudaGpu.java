// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import io.pipedevice.jdk.Foreign;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A GPU as the driver describes it.
 *
 * @param index of the GPU, from 0; {@code CUDA_VISIBLE_DEVICES} changes the order
 * @param name as NVIDIA calls it
 * @param pciAddress domain:bus:device.0
 * @param handle that CUDA's functions take
 * @param obstacles why it cannot copy between rings, one sentence each; empty if it can
 */
public record CudaGpu(int index, String name, String pciAddress, int handle, List<String> obstacles) {
    private static final int COMPUTE_MODE = 20;
    private static final int PCI_BUS = 33;
    private static final int PCI_DEVICE = 34;
    private static final int PCI_DOMAIN = 50;
    private static final int CAPABILITY_MAJOR = 75;
    private static final int CAPABILITY_MINOR = 76;
    private static final int HOST_POINTER_FOR_REGISTERED = 91;
    private static final int HOST_REGISTER = 99;
    private static final int READ_ONLY_HOST_REGISTER = 113;

    private static final int MIN_MAJOR = 7;
    private static final int COMPUTE_PROHIBITED = 2;
    private static final int MAX_NAME = 256;

    /** Copies the obstacles. */
    public CudaGpu {
        obstacles = List.copyOf(obstacles);
    }

    /**
     * The GPUs of this machine that are visible to this process.
     *
     * @param library a file or a name of CUDA's driver library; null for the usual one
     * @return the GPUs, by index
     * @throws IOException if there is no driver or no GPU; the message says what to do
     */
    public static List<CudaGpu> list(String library) throws IOException {
        return list(load(library));
    }

    static CudaLibrary load(String library) throws IOException {
        return new CudaLibrary(library == null ? CudaLibrary.DEFAULT_NAME : library);
    }

    static List<CudaGpu> list(CudaLibrary library) throws IOException {
        int count;
        try {
            library.run(CudaFunction.INIT, 0, 0, 0, 0);
            count = (int) library.get(CudaFunction.DEVICE_GET_COUNT, 0, 0, 0);
        } catch (CudaException e) {
            throw new IOException(CudaObstacle.initialisation(e), e);
        }
        List<CudaGpu> found = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            found.add(describe(library, i));
        }
        return found;
    }

    private static CudaGpu describe(CudaLibrary library, int index) throws CudaException {
        int handle = (int) library.get(CudaFunction.DEVICE_GET, index, 0, 0);
        String name;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(MAX_NAME);
            library.run(CudaFunction.DEVICE_GET_NAME, text.address(), MAX_NAME, handle, 0);
            name = Foreign.string(text);
        }
        String pci = String.format(
                Locale.ROOT,
                "%04x:%02x:%02x.0",
                attribute(library, PCI_DOMAIN, handle),
                attribute(library, PCI_BUS, handle),
                attribute(library, PCI_DEVICE, handle));
        return new CudaGpu(index, name, pci, handle, obstacles(library, handle));
    }

    private static List<String> obstacles(CudaLibrary library, int handle) throws CudaException {
        List<String> found = new ArrayList<>();
        int major = attribute(library, CAPABILITY_MAJOR, handle);
        if (major < MIN_MAJOR) {
            found.add("its compute capability is " + major + '.' + attribute(library, CAPABILITY_MINOR, handle)
                    + ", and 7.0 (Volta) or later is needed");
        }
        if (attribute(library, COMPUTE_MODE, handle) == COMPUTE_PROHIBITED) {
            found.add("its compute mode prohibits contexts: nvidia-smi -c DEFAULT");
        }
        if (attribute(library, HOST_REGISTER, handle) == 0
                || attribute(library, HOST_POINTER_FOR_REGISTERED, handle) == 0) {
            found.add("it cannot reach memory of the host at the host's addresses");
        }
        if (attribute(library, READ_ONLY_HOST_REGISTER, handle) == 0) {
            found.add("it cannot reach memory that this process may only read, as send rings are");
        }
        return found;
    }

    private static int attribute(CudaLibrary library, int attribute, int handle) throws CudaException {
        return (int) library.get(CudaFunction.DEVICE_GET_ATTRIBUTE, attribute, handle, 0);
    }
}
