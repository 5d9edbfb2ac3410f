// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.device.emulator.FaultPlan;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The data of a closed socket arrive, however long that takes, as long as its peer reads. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LingerTest {
    private static final long LINGER_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int TRIES = 5;

    private final byte[] sent = new byte[2 * RawSocket.RING];

    LingerTest() {
        new Random(1).nextBytes(sent);
    }

    private static DriverContext impatient() {
        return new DriverContext().lingerNs(LINGER_NS);
    }

    /** Fills both rings, as far as the driver moves the data, and closes. */
    private void leaveBehind(RawPair pair) throws IOException {
        fill(pair);
        pair.near.close();
    }

    private void fill(RawPair pair) throws IOException {
        for (int done = 0; done < sent.length; ) {
            done += pair.near.write(sent, done, sent.length - done);
        }
    }

    @Test
    void aDriverMayHaveSlept() throws IOException {
        long lingerNs = 10 * LINGER_NS;
        try (TestDriver driver = new TestDriver(new DriverContext().lingerNs(lingerNs));
                RawPair pair = new RawPair(driver)) {
            fill(pair);
            // No process contacts the driver for longer than the driver would wait for the reader.
            LockSupport.parkNanos(2 * lingerNs);
            pair.client.close();
            // When this attachment succeeds, the driver has processed the close.
            driver.attach().close();
            assertArrayEquals(sent, pair.far.readFully(sent.length));
            TestDriver.await("end-of-file", () -> pair.far.read(new byte[1]) < 0);
        }
    }

    @Test
    void aReaderMayBeSlow() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            if (readsSlowly()) {
                return;
            }
        }
        throw new AssertionError("the machine has held this thread up each time");
    }

    /** Returns false if this thread was held up for so long that the driver could take its process for dead. */
    private boolean readsSlowly() throws IOException {
        long longest = 0;
        long last = System.nanoTime();
        try (TestDriver driver = new TestDriver(impatient());
                RawPair pair = new RawPair(driver)) {
            leaveBehind(pair);
            byte[] received = new byte[sent.length];
            byte[] piece = new byte[512];
            for (int done = 0; done < sent.length; ) {
                int length = pair.far.read(piece);
                System.arraycopy(piece, 0, received, done, Math.max(0, length));
                done += Math.max(0, length);
                // This reads 128 KB in a second, many times the linger time.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(4));
                longest = Math.max(longest, System.nanoTime() - last);
                last = System.nanoTime();
            }
            assertArrayEquals(sent, received);
            TestDriver.await("end-of-file", () -> pair.far.read(piece) < 0);
            return true;
        } catch (RawException e) {
            if (Math.max(longest, System.nanoTime() - last) < LINGER_NS / 2) {
                throw e;
            }
            return false;
        }
    }

    @Test
    void aDeviceMayBeSlow() throws IOException {
        FaultPlan plan = new FaultPlan();
        DmaEmulator emulator =
                plan.emulator(new DmaEmulator.Context().maxTransfer(4096).queueDepth(2));
        try (TestDriver driver = new TestDriver(impatient()
                        .deviceTimeoutNs(TimeUnit.SECONDS.toNanos(50))
                        .device(emulator));
                RawPair pair = new RawPair(driver)) {
            plan.stall();
            byte[] few = java.util.Arrays.copyOf(sent, RawSocket.RING / 2);
            pair.near.writeFully(few);
            pair.near.close();
            LockSupport.parkNanos(5 * LINGER_NS);
            assertFalse(pair.far.isReset());
            plan.release();
            assertArrayEquals(few, pair.far.readFully(few.length));
            TestDriver.await("end-of-file", () -> pair.far.read(new byte[1]) < 0);
        }
    }

    @Test
    void aRateMayBeLow() throws IOException {
        // Beyond a burst of 64 KB, the other 64 KB take a second.
        try (TestDriver driver = new TestDriver(impatient().rate(64 << 10));
                RawPair pair = new RawPair(driver)) {
            leaveBehind(pair);
            assertArrayEquals(sent, pair.far.readFully(sent.length));
            TestDriver.await("end-of-file", () -> pair.far.read(new byte[1]) < 0);
        }
    }
}
