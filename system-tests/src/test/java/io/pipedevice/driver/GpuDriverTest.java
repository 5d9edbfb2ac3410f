// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.Device;
import io.pipedevice.device.cuda.CudaDevice;
import io.pipedevice.device.cuda.CudaDevice.Engine;
import io.pipedevice.device.cuda.TestCuda;
import io.pipedevice.device.cuda.TestCuda.Counter;
import io.pipedevice.device.cuda.TestCuda.Fault;
import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.device.guard.DeviceGroup;
import io.pipedevice.device.guard.GuardedDevice;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.Errno;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever happens to a driver's GPU, connections go on: no byte is lost or repeated, and nothing is left. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class GpuDriverTest {
    private static final int DEPTH = 16;
    private static final int LENGTH = 60_000;

    private final TestCuda cuda = TestCuda.shared();
    private final Random random = new Random(1);
    private TestDriver driver;
    private RawPair pair;
    private RawPair bystanders;

    /** The guard waits as long as a test does: the threads of the library are late on a busy machine. */
    private void begin(Engine engine) throws IOException {
        begin(engine, TestDriver.PATIENCE_NS);
    }

    private void begin(Engine engine, long guardTimeoutNs) throws IOException {
        begin(gpu(engine, guardTimeoutNs));
    }

    private void begin(Device device) throws IOException {
        driver = new TestDriver(new DriverContext().device(device));
        pair = new RawPair(driver);
        bystanders = new RawPair(driver);
    }

    private static Device gpu(Engine engine, long guardTimeoutNs) throws IOException {
        CudaDevice gpu = new CudaDevice(
                0,
                new CudaDevice.Context()
                        .library(TestCuda.library().toString())
                        .engine(engine)
                        .lanes(2)
                        .queueDepth(DEPTH));
        return new GuardedDevice(gpu, guardTimeoutNs);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        long misuses = cuda.count(Counter.MISUSES);
        cuda.reset();
        try {
            pair.close();
            bystanders.close();
            driver.awaitNothingLeft();
        } finally {
            driver.close();
        }
        for (Counter counter : Counter.values()) {
            if (counter != Counter.LAUNCHES && counter != Counter.BYTES_COPIED) {
                assertEquals(0, cuda.count(counter), counter::name);
            }
        }
        assertEquals(0, misuses);
    }

    private void exchange(int rounds) throws IOException {
        for (int i = 0; i < rounds; i++) {
            pair.exchange();
            bystanders.exchange();
        }
    }

    private void assertNoConnectionFailed() throws IOException {
        assertEquals(0, driver.counter(CounterType.RESETS));
    }

    private void assertTheGpuCopies() throws IOException {
        long before = cuda.count(Counter.BYTES_COPIED);
        exchange(5);
        assertTrue(cuda.count(Counter.BYTES_COPIED) > before);
        assertNoConnectionFailed();
    }

    private byte[] post(RawSocket socket) throws IOException {
        byte[] bytes = new byte[LENGTH];
        random.nextBytes(bytes);
        socket.writeFully(bytes);
        return bytes;
    }

    /** Lets kernels end, so that the next copy needs a launch. */
    private void awaitIdle() {
        TestDriver.await("kernels to end", () -> cuda.count(Counter.KERNELS) == 0);
    }

    @ParameterizedTest
    @EnumSource
    void aGpuThatWorksDoesItAll(Engine engine) throws IOException {
        begin(engine);
        exchange(20);
        assertNoConnectionFailed();
        assertEquals(0, driver.counter(CounterType.DEVICE_ERRORS));
        assertEquals(0, driver.counter(CounterType.EMULATED));
        driver.awaitAtLeast(CounterType.COMMANDS, 80);
    }

    @Test
    void sharesTheConnectionsWithAnotherDevice() throws IOException {
        DmaEmulator emulator = new DmaEmulator(new DmaEmulator.Context().lanes(2));
        begin(new DeviceGroup(List.of(emulator, gpu(Engine.KERNEL, TestDriver.PATIENCE_NS))));
        exchange(5);
        assertTheGpuCopies();
        assertEquals(0, driver.counter(CounterType.DEVICE_ERRORS));
        assertEquals(0, driver.counter(CounterType.EMULATED));
    }

    @ParameterizedTest
    @CsvSource({
        "KERNEL, HANG_LAUNCHES, 1",
        "KERNEL, STALL_AFTER, 0",
        "KERNEL, LOSE_AT_COMMAND, 1",
        "KERNEL, LOSE_AT_CALL, 1",
        "COPY_ENGINES, LOSE_AT_CALL, 1",
        "COPY_ENGINES, LOSE_AT_CALL, 4"
    })
    void aFaultCostsNoByte(Engine engine, Fault fault, long argument) throws IOException {
        begin(engine, TimeUnit.MILLISECONDS.toNanos(200));
        exchange(2);
        awaitIdle();
        cuda.plan(fault, argument);
        byte[] sent = post(pair.near);
        driver.awaitAtLeast(CounterType.DEVICE_RESETS, 1);
        if (fault == Fault.STALL_AFTER) {
            cuda.plan(fault, -1);
        }
        assertArrayEquals(sent, pair.far.readFully(LENGTH));
        assertTheGpuCopies();
    }

    @Test
    void lateCompletionsAreAwaited() throws IOException {
        begin(Engine.KERNEL);
        cuda.plan(Fault.LATE_MILLIS, 20);
        exchange(3);
        assertNoConnectionFailed();
        assertEquals(0, driver.counter(CounterType.EMULATED));
    }

    @ParameterizedTest
    @EnumSource
    void aRingThatCannotBeRegisteredIsRefusedAndOthersGoOn(Engine engine) throws IOException {
        begin(engine);
        try (RawClient late = driver.attach()) {
            RawSocket socket = late.socket();
            cuda.plan(Fault.FAIL_REGISTRATION, 1);
            assertRefused(Errno.EINVAL, () -> socket.connect(pair.listener.local));
            exchange(2);
            // The region of the ring to send from is registered, and that of the ring to receive into is not.
            cuda.plan(Fault.FAIL_REGISTRATION, 2);
            assertRefused(Errno.ENOMEM, () -> socket.connect(pair.listener.local));
            exchange(2);
            cuda.plan(Fault.FAIL_REGISTRATION, 0);
            socket.connect(pair.listener.local);
            RawSocket accepted = pair.listener.accept();
            byte[] sent = post(socket);
            assertArrayEquals(sent, accepted.readFully(LENGTH));
        }
        exchange(2);
        assertEquals(0, driver.counter(CounterType.DEVICE_RESETS));
    }

    private static void assertRefused(int errno, Executable attempt) {
        RawException e = assertThrows(RawException.class, attempt);
        assertEquals(errno, e.errno, e::getMessage);
        assertTrue(e.getMessage().contains("the kernel cannot pin "), e::getMessage);
    }

    @ParameterizedTest
    @EnumSource
    void aProcessThatComesWhenTheContextIsLostIsServed(Engine engine) throws IOException {
        begin(engine);
        exchange(1);
        awaitIdle();
        cuda.plan(Fault.LOSE_AT_CALL, 1);
        try (RawPair later = new RawPair(driver)) {
            later.exchange();
            driver.awaitAtLeast(CounterType.DEVICE_RESETS, 1);
            exchange(2);
        }
        exchange(2);
        assertEquals(0, driver.counter(CounterType.DEVICE_OUT_OF_SERVICE));
    }

    @ParameterizedTest
    @EnumSource
    void aProcessThatDiesWhileItsBytesAreCopiedLeavesNothing(Engine engine) throws IOException {
        begin(engine);
        for (int round = 0; round < 8; round++) {
            cuda.plan(Fault.LATE_MILLIS, round % 4);
            RawPair dying = new RawPair(driver);
            byte[] sent = post(bystanders.near);
            post(dying.near);
            post(dying.far);
            if (round % 2 == 0) {
                dying.client.close();
                dying.server.close();
            } else {
                dying.server.close();
                dying.client.close();
            }
            assertArrayEquals(sent, bystanders.far.readFully(LENGTH));
            exchange(1);
        }
        assertEquals(0, driver.counter(CounterType.DEVICE_ERRORS));
        assertEquals(0, driver.counter(CounterType.EMULATED));
    }

    @ParameterizedTest
    @EnumSource
    void aSocketThatIsClosedWhileItsBytesAreCopiedLosesNone(Engine engine) throws IOException {
        begin(engine);
        for (int round = 0; round < 8; round++) {
            cuda.plan(Fault.LATE_MILLIS, round % 4);
            try (RawPair closing = new RawPair(driver)) {
                byte[] sent = post(closing.near);
                byte[] other = post(bystanders.near);
                closing.near.close();
                assertArrayEquals(sent, closing.far.readFully(LENGTH));
                closing.far.close();
                assertArrayEquals(other, bystanders.far.readFully(LENGTH));
            }
        }
        assertNoConnectionFailed();
        assertEquals(0, driver.counter(CounterType.DEVICE_ERRORS));
    }

    /** The context is lost at the call that ends a registration, or before: the memory is the kernel's again anyway. */
    @ParameterizedTest
    @EnumSource
    void aContextThatIsLostWhenAProcessLeavesIsReplaced(Engine engine) throws IOException {
        begin(engine);
        RawPair leaving = new RawPair(driver);
        leaving.exchange();
        awaitIdle();
        cuda.plan(Fault.LOSE_AT_CALL, 2);
        leaving.close();
        driver.awaitAtLeast(CounterType.DEVICE_RESETS, 1);
        assertTheGpuCopies();
    }
}
