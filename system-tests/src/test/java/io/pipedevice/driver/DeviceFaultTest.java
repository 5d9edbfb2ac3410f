// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.device.emulator.FaultPlan;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.Errno;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.queue.CommandType;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A device that fails ends some connections, with EIO, and has no other effect: other connections continue, all memory
 * is released, and the driver never waits for the device.
 */
@ParameterizedClass
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DeviceFaultTest {
    private static final int DEPTH = 8;
    private static final long TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /** For an engine that does not run while its thread waits for a processor, and then fails no connection. */
    private static final long LONG_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private static final int TRIES = 3;

    @Parameter
    Threading threading;

    private final FaultPlan plan = new FaultPlan();
    private final DriverLog log = new DriverLog();
    private TestDriver driver;
    private RawPair pair;
    private RawPair bystanders;

    private void start(int lanes) throws IOException {
        start(lanes, threading == Threading.SEPARATE ? LONG_TIMEOUT_NS : TIMEOUT_NS);
    }

    private void start(int lanes, long timeoutNs) throws IOException {
        driver = new TestDriver(new DriverContext()
                .threading(threading)
                .deviceTimeoutNs(timeoutNs)
                .device(plan.emulator(
                        new DmaEmulator.Context().lanes(lanes).queueDepth(DEPTH).maxTransfer(4096))));
        pair = new RawPair(driver);
        bystanders = new RawPair(driver);
        bystanders.exchange();
    }

    @AfterEach
    void memoryReturns() throws IOException {
        try (log) {
            if (bystanders != null) {
                pair.close();
                bystanders.close();
                driver.awaitNothingLeft();
            }
        } finally {
            if (driver != null) {
                driver.close();
            }
        }
    }

    /** Writes all bytes, around the ring's end too, unless the fault comes first. */
    private static void write(RawSocket from, byte[] bytes) throws IOException {
        try {
            for (int done = 0; done < bytes.length; ) {
                done += from.write(bytes, done, bytes.length - done);
            }
        } catch (RawException e) {
            assertEquals(Errno.EIO, e.errno);
        }
    }

    private void assertFailed(RawPair ends) {
        for (RawSocket end : new RawSocket[] {ends.near, ends.far}) {
            TestDriver.await("a reset of " + end, end::isReset);
            assertEquals(Errno.EIO, (int) end.client.driverWord(end.sid, DriverPageDescriptor.ERROR_OFFSET));
        }
    }

    private void assertOthersGoOn() throws IOException {
        bystanders.exchange();
        try (RawPair later = new RawPair(driver)) {
            later.exchange();
        }
        driver.awaitAtLeast(CounterType.DEVICE_ERRORS, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {CommandType.STATUS_DEVICE, CommandType.STATUS_ADDRESS, CommandType.STATUS_RESET, -1, 99})
    void aCommandFails(int status) throws IOException {
        start(2);
        plan.fail(3, status);
        write(pair.near, new byte[RawSocket.RING]);
        assertFailed(pair);
        assertTrue(pair.far.available() <= 2 * 4096, "nothing that follows the failed copy is delivered");
        assertOthersGoOn();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void aCommandIsCompletedTwice(int command) throws IOException {
        start(2);
        plan.duplicate(command);
        byte[] sent = new byte[5 * 4096];
        new Random(1).nextBytes(sent);
        write(pair.near, sent);
        TestDriver.await("all of it, or an error", () -> pair.far.available() == sent.length || pair.far.isReset());
        if (pair.far.available() == sent.length) {
            assertArrayEquals(sent, pair.far.readFully(sent.length));
        }
        for (int i = 0; i < 20; i++) {
            bystanders.exchange();
        }
        assertOthersGoOn();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 500, 65535})
    void anotherEntryIsCompleted(int off) throws IOException {
        start(2);
        plan.misdirect(1, off);
        byte[] sent = new byte[3 * 4096 + 5];
        new Random(2).nextBytes(sent);
        write(pair.near, sent);
        TestDriver.await("all of it, or an error", () -> pair.far.available() == sent.length || pair.far.isReset());
        if (pair.far.available() == sent.length) {
            assertArrayEquals(sent, pair.far.readFully(sent.length));
        } else {
            assertFailed(pair);
            pair.near.close();
            pair.far.close();
            TestDriver.await("its rings to come back", () -> pair.near.isReleased() && pair.far.isReleased());
            assertOthersGoOn();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aCommandIsLost(int command) throws IOException {
        start(2);
        plan.lose(command);
        write(pair.near, new byte[6 * 4096]);
        assertFailed(pair);
        pair.near.close();
        pair.far.close();
        TestDriver.await("its rings to come back", () -> pair.near.isReleased() && pair.far.isReleased());
        assertOthersGoOn();
    }

    /** The device continues with all other commands, so it does not seem to have stopped. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aCommandIsLostWhileOthersAreBusy(int lanes) throws Exception {
        start(lanes);
        for (int i = 1; !othersGoOnWhileACommandIsLost(); i++) {
            assertTrue(i < TRIES, "others have failed each time");
            pair.close();
            bystanders.close();
            pair = new RawPair(driver);
            bystanders = new RawPair(driver);
        }
        assertOthersGoOn();
    }

    /**
     * Returns false if another connection has failed, too: before its reset the device gets 50 ms for all commands but
     * the lost one, in which its thread may have no processor.
     */
    private boolean othersGoOnWhileACommandIsLost() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            plan.lose(6);
            write(pair.near, new byte[6 * 4096]);
            TestDriver.await("the commands before it", () -> pair.far.available() == 5 * 4096);
            // Wait here, so that no command of another connection is the sixth.
            TestDriver.await("the one to be lost", () -> plan.left() == 0);
            Future<Integer> exchanges = executor.submit(() -> {
                int count = 0;
                do {
                    bystanders.exchange();
                    count++;
                } while (!stop.get());
                return count;
            });
            assertFailed(pair);
            pair.near.close();
            pair.far.close();
            TestDriver.await("its rings to come back", () -> pair.near.isReleased() && pair.far.isReleased());
            stop.set(true);
            assertTrue(exchanges.get() > 0);
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RawException failed && failed.errno == Errno.EIO) {
                return false;
            }
            throw e;
        } finally {
            stop.set(true);
            executor.shutdownNow();
            assertTrue(executor.awaitTermination(20, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void moreCommandsAreLostThanALaneHolds(int lanes) throws IOException {
        start(lanes);
        for (int i = 1; i <= DEPTH; i++) {
            plan.lose(i);
        }
        write(pair.near, new byte[RawSocket.RING]);
        assertFailed(pair);
        for (int i = 0; i < 3; i++) {
            assertOthersGoOn();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aCommandIsCompletedAfterTheNext(int command) throws IOException {
        start(2);
        plan.holdBack(command);
        byte[] sent = new byte[RawSocket.RING];
        new Random(3).nextBytes(sent);
        pair.near.writeFully(sent);
        assertArrayEquals(sent, pair.far.readFully(sent.length));
        pair.exchange();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void theDeviceStalls(int command) throws IOException {
        start(2);
        plan.stallAt(command);
        write(pair.near, new byte[RawSocket.RING]);
        assertFailed(pair);
        assertTrue(log.has(System.Logger.Level.ERROR, "reset"), () -> log.messages(System.Logger.Level.INFO) + "");
        assertOthersGoOn();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void theDeviceDies(int command) throws IOException {
        start(2);
        plan.dieAt(command);
        write(pair.near, new byte[RawSocket.RING]);
        assertFailed(pair);
        assertFailed(bystanders);
        RawSocket late = pair.client.socket();
        RawException refused = assertThrows(RawException.class, () -> late.connect(bystanders.listener.local));
        assertEquals(Errno.ENODEV, refused.errno);
        assertTrue(log.has(System.Logger.Level.ERROR, "is lost"));
        try (RawClient still = driver.attach()) {
            still.socket().bind(TestDriver.loopback(0));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void randomFaults(int lanes) throws IOException {
        long seed = System.nanoTime();
        System.out.println("randomFaults seed " + seed);
        Random random = new Random(seed);
        // Any connection may fail here, and many wait for the timeout.
        start(lanes, TIMEOUT_NS);
        plan.delay(random.nextInt(3)).shuffleLanes(seed);
        int failed = 0;
        for (int i = 0; i < 60; i++) {
            int command = 1 + random.nextInt(20);
            switch (random.nextInt(8)) {
                case 0 -> plan.fail(command, 1 + random.nextInt(7));
                case 1 -> plan.duplicate(command);
                case 2 -> plan.misdirect(command, random.nextInt(64));
                case 3 -> plan.holdBack(command);
                case 4 -> {
                    if (i % 20 == 0) {
                        plan.lose(command);
                    }
                }
                default -> {}
            }
            byte[] sent = new byte[1 + random.nextInt(RawSocket.RING)];
            random.nextBytes(sent);
            try {
                pair.near.writeFully(sent);
                byte[] received = pair.far.readFully(sent.length);
                assertArrayEquals(sent, received, "the sent data arrive unchanged");
            } catch (RawException e) {
                assertEquals(Errno.EIO, e.errno);
                failed++;
                pair.close();
                pair = new RawPair(driver);
            }
        }
        System.out.println("randomFaults: failed " + failed + " connections of 60, errors "
                + driver.counter(CounterType.DEVICE_ERRORS));
        Arrays.asList(pair, bystanders).forEach(RawPair::close);
    }
}
