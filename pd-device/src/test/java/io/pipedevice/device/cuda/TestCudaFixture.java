// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.jdk.Foreign;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A copy of the library for each test, with a state of its own, and short forms of its calls. */
abstract class TestCudaFixture {
    static final int PORTABLE = 1;
    static final int READ_ONLY = 8;
    static final String TEXT = "\n// a kernel\n.version 6.4\n.target sm_70\n.visible .entry copy_lane(\n) { ret; }\n";

    final Arena arena = Arena.ofShared();
    TestCuda cuda;
    private final List<Long> contexts = new ArrayList<>();

    @TempDir
    private Path dir;

    @BeforeEach
    void load() throws IOException {
        cuda = TestCuda.of(Files.copy(TestCuda.library(), dir.resolve("libcuda.so")), arena);
    }

    /** The threads of streams must end before their code is unloaded. */
    @AfterEach
    void unload() {
        contexts.forEach(context -> call("cuCtxDestroy_v2", context));
        assertEquals(0, cuda.count(TestCuda.Counter.CONTEXTS));
        assertEquals(0, cuda.count(TestCuda.Counter.STREAMS));
        assertEquals(0, cuda.count(TestCuda.Counter.EVENTS));
        assertEquals(0, cuda.count(TestCuda.Counter.MODULES));
        assertEquals(0, cuda.count(TestCuda.Counter.REGISTRATIONS));
        assertEquals(0, cuda.count(TestCuda.Counter.DEVICE_MEMORY));
        assertEquals(0, cuda.count(TestCuda.Counter.KERNELS));
        arena.close();
    }

    int call(String function, Object... arguments) {
        return cuda.calls().getInt(function, arguments);
    }

    void succeed(String function, Object... arguments) {
        assertEquals(0, call(function, arguments), function);
    }

    /** Calls a function whose first argument is where it writes a handle or an address. */
    long make(String function, Object... arguments) {
        MemorySegment result = arena.allocate(JAVA_LONG);
        Object[] all = new Object[arguments.length + 1];
        all[0] = result;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        succeed(function, all);
        return result.get(JAVA_LONG, 0);
    }

    /** Makes a context that is current to this thread. */
    long context() {
        succeed("cuInit", 0);
        long context = make("cuCtxCreate_v2", 0, 0);
        contexts.add(context);
        return context;
    }

    /** Runs on a thread of its own, which has no current context at first. */
    static <T> CompletableFuture<T> elsewhere(Supplier<T> calls) {
        return CompletableFuture.supplyAsync(
                calls, call -> Thread.ofPlatform().daemon().start(call));
    }

    long stream() {
        return make("cuStreamCreate", 1);
    }

    long function() {
        return make("cuModuleGetFunction", make("cuModuleLoadData", string(TEXT)), string("copy_lane"));
    }

    MemorySegment string(String value) {
        return Foreign.string(arena, value);
    }

    MemorySegment allocate(long bytes) {
        return arena.allocate(bytes, 4096);
    }

    MemorySegment registered(long bytes) {
        MemorySegment memory = allocate(bytes);
        succeed("cuMemHostRegister_v2", memory, bytes, PORTABLE);
        return memory;
    }

    int attribute(int attribute, int device) {
        MemorySegment value = arena.allocate(JAVA_INT);
        succeed("cuDeviceGetAttribute", value, attribute, device);
        return value.get(JAVA_INT, 0);
    }

    MemorySegment pointers(MemorySegment... targets) {
        MemorySegment array = arena.allocate(ADDRESS, targets.length);
        for (int i = 0; i < targets.length; i++) {
            array.setAtIndex(ADDRESS, i, targets[i]);
        }
        return array;
    }

    MemorySegment longs(long... values) {
        return Foreign.longs(arena, values);
    }
}
