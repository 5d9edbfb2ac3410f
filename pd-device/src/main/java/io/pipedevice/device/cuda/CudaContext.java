// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import io.pipedevice.jdk.Foreign;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A context of a GPU: what is created in it ends with it, also a kernel that runs.
 *
 * <p>A context is current on one thread. The thread that uses the device may change, so {@link #enter} comes before any
 * other use. Used by one thread at a time.
 */
final class CudaContext {
    private static final int STREAM_NON_BLOCKING = 1;
    private static final int EVENT_DISABLE_TIMING = 2;
    private static final int JIT_ERROR_LOG_BUFFER = 5;
    private static final int JIT_ERROR_LOG_BUFFER_SIZE = 6;
    private static final int LOG_SIZE = 4096;

    private final CudaLibrary library;
    private final CudaGpu gpu;

    /** CUDA's handle of the context; 0 without a context. */
    private long handle;

    /** The copy kernel; 0 before it is compiled. */
    private long kernel;

    /** The thread on which the context is current. */
    private Thread entered;

    CudaContext(CudaLibrary library, CudaGpu gpu) throws IOException {
        this.library = library;
        this.gpu = gpu;
        create();
    }

    /** Creates the context, also again after {@link #destroy}. */
    void create() throws IOException {
        try {
            handle = library.get(CudaFunction.CTX_CREATE, 0, gpu.handle(), 0);
        } catch (CudaException e) {
            throw new IOException("GPU " + gpu.index() + ", " + gpu.name() + ": " + CudaObstacle.context(e), e);
        }
        entered = Thread.currentThread();
        kernel = 0;
    }

    CudaLibrary library() {
        return library;
    }

    /** Makes the context current on this thread. */
    void enter() throws CudaException {
        Thread thread = Thread.currentThread();
        if (!thread.equals(entered)) {
            library.run(CudaFunction.CTX_SET_CURRENT, handle, 0, 0, 0);
            entered = thread;
        }
    }

    /** Creates a stream, which lives as long as the context. */
    long stream() throws CudaException {
        return library.get(CudaFunction.STREAM_CREATE, STREAM_NON_BLOCKING, 0, 0);
    }

    /** Creates an event, which lives as long as the context. */
    long event() throws CudaException {
        return library.get(CudaFunction.EVENT_CREATE, EVENT_DISABLE_TIMING, 0, 0);
    }

    /** Allocates memory of the GPU, which lives as long as the context. */
    long deviceMemory(long size) throws CudaException {
        return library.get(CudaFunction.MEM_ALLOC, size, 0, 0);
    }

    /** Throws if the context is lost, as a stream of it tells. Enters it. */
    void check(long stream) throws CudaException {
        enter();
        int result = library.call(CudaFunction.STREAM_QUERY, stream, 0, 0, 0);
        if (result != CudaLibrary.NOT_READY) {
            library.check(CudaFunction.STREAM_QUERY, result);
        }
    }

    /**
     * The copy kernel, compiled for this GPU at the first call.
     *
     * @return the function, which lives as long as the context
     * @throws IOException if the driver refuses its text
     */
    long kernel() throws IOException {
        if (kernel == 0) {
            kernel = compile();
        }
        return kernel;
    }

    private long compile() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment log = arena.allocate(LOG_SIZE);
            MemorySegment options = Foreign.ints(arena, JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_SIZE);
            MemorySegment values = Foreign.longs(arena, log.address(), LOG_SIZE);
            MemorySegment module = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment text = Foreign.string(arena, CopyKernel.text());
            try {
                library.check(
                        CudaFunction.MODULE_LOAD_DATA_EX,
                        library.call(
                                CudaFunction.MODULE_LOAD_DATA_EX,
                                module.address(),
                                text.address(),
                                2,
                                options.address(),
                                values.address(),
                                0,
                                0,
                                0,
                                0,
                                0,
                                0));
            } catch (CudaException e) {
                throw new IOException(
                        this + " cannot run the copy kernel: " + e.getMessage() + ' ' + Foreign.string(log), e);
            }
            return library.get(
                    CudaFunction.MODULE_GET_FUNCTION,
                    module.get(ValueLayout.JAVA_LONG, 0),
                    Foreign.string(arena, CopyKernel.ENTRY).address(),
                    0);
        }
    }

    /** Ends everything that runs in the context. The GPU no longer touches any memory of the host. */
    void destroy() {
        if (handle != 0) {
            long ended = handle;
            handle = 0;
            entered = null;
            // A lost context reports its error here, too, and is destroyed nevertheless.
            library.call(CudaFunction.CTX_DESTROY, ended, 0, 0, 0);
        }
    }

    @Override
    public String toString() {
        return "GPU " + gpu.index() + " (" + gpu.name() + ", " + gpu.pciAddress() + ')';
    }
}
