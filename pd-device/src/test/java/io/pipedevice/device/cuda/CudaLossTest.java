// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.DeviceMapping;
import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A GPU without a guard that loses its context, or counts wrongly. */
@DisabledIfSystemProperty(named = "pipedevice.test.gpu", matches = "true", disabledReason = "a GPU plays no faults")
@ParameterizedClass
@EnumSource(CudaDevice.Engine.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CudaLossTest {
    /** So many that the context is checked on each lane. */
    private static final int POLLS = 10_000;

    private static final int LANES = 2;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    @Parameter
    private CudaDevice.Engine engine;

    private final TestCuda cuda = TestCuda.shared();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(8192, 4096);
    private CudaDevice device;
    private CudaFixture fixture;

    @BeforeEach
    void start() throws IOException {
        device = new CudaDevice(
                0, CudaFixture.parameters().engine(engine).lanes(LANES).queueDepth(16));
        fixture = new CudaFixture(device, 1);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        fixture.close();
        arena.close();
        long misuses = cuda.count(TestCuda.Counter.MISUSES);
        cuda.reset();
        assertEquals(0, misuses, "no handle of a lost context is used");
        assertEquals(0, cuda.count(TestCuda.Counter.CONTEXTS));
        assertEquals(0, cuda.count(TestCuda.Counter.REGISTRATIONS));
    }

    private void poll() {
        for (int i = 0; i < POLLS; i++) {
            device.poll();
        }
    }

    private void lose() {
        cuda.plan(TestCuda.Fault.LOSE_AT_CALL, 1);
        assertThrows(IllegalStateException.class, this::poll);
    }

    private void assertCopiesInto(long address, MemorySegment target, int entry) {
        target.fill((byte) 0);
        assertTrue(fixture.submitAt(1, fixture.from.address() + 3, address, 5000, entry));
        fixture.awaitCopied(1, entry);
        assertEquals(-1, MemorySegment.mismatch(fixture.written, 3, 5003, target, 0, 5000));
    }

    @Test
    void aLossIsNoticedWhereNoCallIsNeeded() {
        cuda.plan(engine == CudaDevice.Engine.KERNEL ? TestCuda.Fault.LOSE_AT_COMMAND : TestCuda.Fault.LOSE_AT_CALL, 1);
        fixture.submit(1, 0, 0, 100, 1);
        long deadline = System.nanoTime() + PATIENCE_NS;
        assertThrows(IllegalStateException.class, () -> {
            while (System.nanoTime() - deadline < 0) {
                poll();
            }
        });
    }

    @Test
    void memoryThatIsMappedWhileTheContextIsLostIsReachableAfterwards() throws IOException {
        lose();
        DeviceMapping mapping = device.map(memory, Access.WRITE);
        device.reset();
        poll();
        assertCopiesInto(mapping.address(), memory, 1);
    }

    @Test
    void memoryIsMappedAlsoIfTheContextIsLostThen() throws IOException {
        cuda.plan(TestCuda.Fault.LOSE_AT_CALL, 1);
        DeviceMapping mapping = device.map(memory, Access.WRITE);
        assertThrows(IllegalStateException.class, device::poll);
        device.reset();
        assertCopiesInto(mapping.address(), memory, 1);
    }

    @Test
    void memoryThatIsUnmappedWhileTheContextIsLostIsUnreachable() throws IOException {
        DeviceMapping mapping = device.map(memory, Access.WRITE);
        lose();
        fixture.submit(0, 0, 0, 100, 1);
        mapping.close();
        assertEquals(0, cuda.count(TestCuda.Counter.REGISTRATIONS));
        device.reset();
        assertEquals(CommandType.STATUS_RESET, fixture.await(0).tag());
        assertTrue(fixture.submitAt(0, fixture.from.address(), mapping.address(), 100, 2));
        assertEquals(CommandType.STATUS_ADDRESS, fixture.await(0).tag());
        assertCopiesInto(fixture.to.address(), fixture.destination, 3);
    }

    @Test
    void memoryIsUnmappedAlsoIfTheContextIsLostThen() throws IOException {
        DeviceMapping mapping = device.map(memory, Access.WRITE);
        DeviceMapping other = device.map(arena.allocate(4096, 4096), Access.WRITE);
        fixture.submit(0, 0, 0, 100, 1);
        fixture.awaitCopied(0, 1);
        cuda.plan(TestCuda.Fault.LOSE_AT_CALL, 1);
        mapping.close();
        assertEquals(0, cuda.count(TestCuda.Counter.CONTEXTS));
        fixture.submit(0, 0, 0, 100, 2);
        other.close();
        DeviceMapping later = device.map(memory, Access.WRITE);
        assertThrows(IllegalStateException.class, device::poll);
        device.reset();
        assertEquals(CommandType.STATUS_RESET, fixture.await(0).tag());
        assertCopiesInto(later.address(), memory, 3);
    }

    @Test
    void anUnmapEndsKernelsFirst() throws IOException {
        cuda.plan(TestCuda.Fault.ENDLESS, 1);
        for (int i = 0; i < 5; i++) {
            DeviceMapping mapping = device.map(memory, Access.WRITE);
            assertCopiesInto(mapping.address(), memory, i);
            mapping.close();
        }
        assertEquals(0, cuda.count(TestCuda.Counter.WAITS));
    }

    @Test
    void aResetThatGetsNoContextFailsAgainAndAgain() {
        lose();
        cuda.plan(TestCuda.Fault.FAIL_CONTEXT, 999);
        assertThrows(IOException.class, device::reset);
        assertThrows(IllegalStateException.class, device::poll);
        fixture.submit(0, 0, 0, 100, 1);
        assertThrows(IOException.class, device::reset);
        assertEquals(0, cuda.count(TestCuda.Counter.CONTEXTS));
    }

    @Test
    void completionsBeyondTheCopiesAreIgnored() throws IOException {
        cuda.plan(TestCuda.Fault.EXTRA_COMPLETIONS, 3);
        DeviceMapping mapping = device.map(memory, Access.WRITE);
        fixture.submit(0, 0, 0, 100, 1);
        fixture.awaitCopied(0, 1);
        assertFalse(device.lane(0).complete(new Command()));
        assertTrue(device.lane(0).requestInterrupt());
        mapping.close();
        poll();
        assertEquals(1, cuda.count(TestCuda.Counter.CONTEXTS));
    }
}
