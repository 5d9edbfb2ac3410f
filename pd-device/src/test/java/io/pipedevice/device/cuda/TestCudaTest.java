// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.jdk.Foreign;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@link TestCuda}'s library answers calls as NVIDIA's does. */
@Timeout(100)
final class TestCudaTest extends TestCudaFixture {
    @TempDir
    private Path files;

    @Test
    void beforeCuInitOnlyTheVersionAndTheNamesOfErrorsAreThere() {
        MemorySegment answer = arena.allocate(JAVA_LONG);
        assertEquals(3, call("cuDeviceGetCount", answer));
        assertEquals(3, call("cuCtxCreate_v2", answer, 0, 0));
        assertEquals(3, call("cuMemAlloc_v2", answer, 8L));
        succeed("cuDriverGetVersion", answer);
        assertEquals(13000, answer.get(JAVA_INT, 0));
        succeed("cuGetErrorName", 712, answer);
        assertEquals("CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", text(answer));
        succeed("cuGetErrorString", 3, answer);
        assertEquals("initialization error", text(answer));
        assertEquals(1, call("cuGetErrorName", 12345, answer));
        assertEquals(1, call("cuInit", 1));
    }

    @SuppressWarnings("restricted")
    private static String text(MemorySegment pointer) {
        return Foreign.string(pointer.get(ADDRESS, 0).reinterpret(100));
    }

    @Test
    void aDriverWithoutDevicesIsNotInitialised() {
        cuda.plan(TestCuda.Fault.DEVICES, 0);
        assertEquals(100, call("cuInit", 0));
        assertEquals(3, call("cuDeviceGetCount", arena.allocate(JAVA_INT)));
        cuda.plan(TestCuda.Fault.DRIVER_VERSION, 11080);
        MemorySegment version = arena.allocate(JAVA_INT);
        succeed("cuDriverGetVersion", version);
        assertEquals(11080, version.get(JAVA_INT, 0));
    }

    @Test
    void devicesHaveTheAttributesOfAnH100UnlessATestSetsThem() {
        cuda.plan(TestCuda.Fault.DEVICES, 2);
        succeed("cuInit", 0);
        MemorySegment value = arena.allocate(64);
        succeed("cuDeviceGetCount", value);
        assertEquals(2, value.get(JAVA_INT, 0));
        succeed("cuDeviceGet", value, 1);
        assertEquals(1, value.get(JAVA_INT, 0));
        assertEquals(101, call("cuDeviceGet", value, 2));
        assertEquals(1, call("cuDeviceGetAttribute", value, 1000, 0));
        assertEquals(9, attribute(75, 0));
        assertEquals(0, attribute(76, 0));
        assertEquals(132, attribute(16, 0));
        assertEquals(1, attribute(113, 1));
        assertNotEquals(attribute(33, 0), attribute(33, 1));
        cuda.attribute(113, 0);
        assertEquals(0, attribute(113, 1));
        cuda.reset();
        assertEquals(1, attribute(113, 0));
        succeed("cuDeviceGetName", value, 64, 0);
        assertEquals("Test GPU 0", Foreign.string(value));
        succeed("cuDeviceTotalMem_v2", value, 0);
        assertEquals(80L << 30, value.get(JAVA_LONG, 0));
    }

    @Test
    void aContextIsCurrentToTheThreadThatMadeOrSetIt() throws Exception {
        long context = context();
        MemorySegment answer = arena.allocate(JAVA_LONG);
        elsewhere(() -> {
                    assertEquals(201, call("cuStreamCreate", answer, 0));
                    succeed("cuCtxSetCurrent", context);
                    succeed("cuStreamCreate", answer, 0);
                    succeed("cuCtxSetCurrent", 0L);
                    return call("cuStreamCreate", answer, 0);
                })
                .thenAccept(result -> assertEquals(201, result))
                .get(45, TimeUnit.SECONDS);
        stream();
        succeed("cuCtxDestroy_v2", context);
        assertEquals(201, call("cuStreamCreate", answer, 0));
        assertEquals(201, call("cuCtxSetCurrent", context));
        assertEquals(201, call("cuCtxDestroy_v2", context));
    }

    @Test
    void aThreadFindsThatAnotherOneDestroyedItsContext() throws Exception {
        long context = context();
        assertEquals(0, elsewhere(() -> call("cuCtxDestroy_v2", context)).get(45, TimeUnit.SECONDS));
        assertEquals(709, call("cuMemAlloc_v2", arena.allocate(JAVA_LONG), 8L));
    }

    @Test
    void aContextCannotBeMadeWhereATestPlansThat() {
        succeed("cuInit", 0);
        cuda.plan(TestCuda.Fault.FAIL_CONTEXT, 46);
        assertEquals(46, call("cuCtxCreate_v2", arena.allocate(JAVA_LONG), 0, 0));
        cuda.reset();
        context();
    }

    @Test
    void memoryIsRegisteredOnce() {
        context();
        MemorySegment memory = allocate(3 * 4096);
        succeed("cuMemHostRegister_v2", memory.asSlice(4096), 4096L, PORTABLE);
        assertEquals(712, call("cuMemHostRegister_v2", memory, 4097L, PORTABLE));
        assertEquals(712, call("cuMemHostRegister_v2", memory.asSlice(8191), 1L, PORTABLE));
        succeed("cuMemHostRegister_v2", memory, 4096L, PORTABLE);
        succeed("cuMemHostRegister_v2", memory.asSlice(8192), 4096L, PORTABLE);
        assertEquals(3, cuda.count(TestCuda.Counter.REGISTRATIONS));
        assertEquals(713, call("cuMemHostUnregister", memory.asSlice(8)));
        succeed("cuMemHostUnregister", memory);
        assertEquals(713, call("cuMemHostUnregister", memory));
        assertEquals(1, call("cuMemHostUnregister", MemorySegment.NULL));
        assertEquals(1, call("cuMemHostRegister_v2", MemorySegment.NULL, 8L, PORTABLE));
        assertEquals(1, call("cuMemHostRegister_v2", memory, 0L, PORTABLE));
        assertEquals(memory.address() + 4100, make("cuMemHostGetDevicePointer_v2", memory.asSlice(4100), 0));
        assertEquals(1, call("cuMemHostGetDevicePointer_v2", longs(0), memory, 0));
    }

    @Test
    void aReadOnlyMappingIsRegisteredOnlyAsSuch() throws IOException {
        context();
        Path file = Files.write(files.resolve("mapped"), new byte[8192]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 8192, arena);
            assertEquals(1, call("cuMemHostRegister_v2", mapped, 8192L, PORTABLE));
            cuda.attribute(113, 0);
            assertEquals(801, call("cuMemHostRegister_v2", mapped, 8192L, READ_ONLY));
            cuda.reset();
            succeed("cuMemHostRegister_v2", mapped, 8192L, READ_ONLY);
            succeed("cuMemHostUnregister", mapped);
        }
    }

    @Test
    void memoryThatIsNotMappedIsNotRegistered() {
        context();
        assertEquals(1, call("cuMemHostRegister_v2", MemorySegment.ofAddress(4096), 4096L, PORTABLE));
    }

    @Test
    void registrationsFailFromThePlannedOneOn() {
        context();
        cuda.plan(TestCuda.Fault.FAIL_REGISTRATION, 2);
        registered(64);
        MemorySegment memory = allocate(64);
        assertEquals(2, call("cuMemHostRegister_v2", memory, 64L, PORTABLE));
        assertEquals(2, call("cuMemHostRegister_v2", memory, 64L, PORTABLE));
        cuda.plan(TestCuda.Fault.FAIL_REGISTRATION, 0);
        succeed("cuMemHostRegister_v2", memory, 64L, PORTABLE);
    }

    @Test
    void copiesOfAStreamAreMadeInTheirOrder() {
        context();
        long stream = stream();
        MemorySegment memory = registered(128);
        memory.fill((byte) 5);
        long device = make("cuMemAlloc_v2", 64L);
        assertEquals(64, cuda.count(TestCuda.Counter.DEVICE_MEMORY));
        succeed("cuMemcpyHtoDAsync_v2", device, memory, 64L, stream);
        succeed("cuStreamSynchronize", stream);
        memory.fill((byte) 0);
        succeed("cuMemcpyDtoHAsync_v2", memory.asSlice(1), device + 1, 63L, stream);
        succeed(
                "cuMemcpyBatchAsync_v2",
                longs(memory.address() + 64, memory.address() + 96),
                longs(memory.address(), memory.address() + 16),
                longs(16, 16),
                2L,
                Foreign.ints(arena, 1, 0, 0, 0, 0, 0),
                longs(0),
                1L,
                stream);
        succeed("cuStreamWriteValue64_v2", stream, memory.address() + 120, 9L, 0);
        succeed("cuStreamSynchronize", stream);
        succeed("cuStreamQuery", stream);
        assertEquals(0, memory.get(JAVA_BYTE, 0));
        assertEquals(5, memory.get(JAVA_BYTE, 63));
        assertEquals(0, memory.get(JAVA_BYTE, 64));
        assertEquals(5, memory.get(JAVA_BYTE, 79));
        assertEquals(0, memory.get(JAVA_BYTE, 80));
        assertEquals(5, memory.get(JAVA_BYTE, 111));
        assertEquals(9, memory.get(JAVA_LONG, 120));
        assertEquals(64 + 63 + 32, cuda.count(TestCuda.Counter.BYTES_COPIED));
        succeed("cuMemFree_v2", device);
        assertEquals(1, call("cuMemFree_v2", device));
        succeed("cuStreamDestroy_v2", stream);
        assertEquals(400, call("cuStreamQuery", stream));
        assertEquals(400, call("cuMemcpyHtoDAsync_v2", device, memory, 64L, stream));
    }

    @Test
    void anAccessToOtherMemoryLosesTheContext() {
        long context = context();
        long stream = stream();
        MemorySegment memory = registered(64);
        succeed("cuMemcpyDtoHAsync_v2", memory, memory.address() + 1, 64L, stream);
        assertEquals(700, call("cuStreamSynchronize", stream));
        assertEquals(700, call("cuStreamQuery", stream));
        assertEquals(700, call("cuMemHostUnregister", memory));
        assertEquals(1, cuda.count(TestCuda.Counter.REGISTRATIONS));
        succeed("cuCtxDestroy_v2", context);
        assertEquals(0, cuda.count(TestCuda.Counter.REGISTRATIONS));
        context();
        stream();
    }

    @Test
    void aWriteToReadOnlyMemoryLosesTheContext() {
        context();
        long stream = stream();
        MemorySegment memory = allocate(64);
        succeed("cuMemHostRegister_v2", memory, 64L, READ_ONLY);
        succeed("cuStreamWriteValue64_v2", stream, memory.address(), 1L, 0);
        assertEquals(700, call("cuStreamSynchronize", stream));
        assertEquals(0, memory.get(JAVA_LONG, 0));
    }

    @Test
    void theContextIsLostAtThePlannedCall() {
        context();
        long stream = stream();
        cuda.plan(TestCuda.Fault.LOSE_AT_CALL, 2);
        succeed("cuStreamQuery", stream);
        assertEquals(719, call("cuStreamQuery", stream));
        assertEquals(719, call("cuStreamQuery", stream));
    }

    @Test
    void aModuleIsATextWithTheKernel() {
        context();
        MemorySegment module = arena.allocate(JAVA_LONG);
        assertEquals(218, call("cuModuleLoadData", module, string(TEXT.replace("copy_lane", "copy_lanes"))));
        MemorySegment log = arena.allocate(100);
        MemorySegment values = pointers(log, MemorySegment.ofAddress(100));
        assertEquals(
                218,
                call(
                        "cuModuleLoadDataEx",
                        module,
                        string(".target sm_70\n" + TEXT),
                        2,
                        Foreign.ints(arena, 5, 6),
                        values));
        assertTrue(Foreign.string(log).contains("Missing .version"), Foreign.string(log));
        assertEquals(Foreign.string(log).length(), values.getAtIndex(JAVA_LONG, 1));
        long loaded = make("cuModuleLoadData", string(TEXT));
        long function = make("cuModuleGetFunction", loaded, string("copy_lane"));
        assertEquals(500, call("cuModuleGetFunction", module, loaded, string("copy")));
        assertEquals(1, cuda.count(TestCuda.Counter.MODULES));
        succeed("cuModuleUnload", loaded);
        assertEquals(400, call("cuModuleUnload", loaded));
        assertEquals(400, call("cuModuleGetFunction", module, loaded, string("copy_lane")));
        assertNotEquals(0, function);
    }
}
