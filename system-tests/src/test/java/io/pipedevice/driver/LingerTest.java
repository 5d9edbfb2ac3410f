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
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The data of a closed socket arrive, however long that takes, as long as its peer reads. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LingerTest {
    private static final long LINGER_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** By how much everything may take longer. */
    private static final int LONGEST = 16;

    /** Pieces of 512 bytes with this pause are 128 KB in a second, many times the linger time. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(4);

    private final byte[] sent = new byte[2 * RawSocket.RING];

    LingerTest() {
        new Random(1).nextBytes(sent);
    }

    private static DriverContext impatient() {
        return new DriverContext().lingerNs(LINGER_NS);
    }

    /** Fills both rings, as far as the driver moves the data. */
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
    @Timeout(240)
    void aReaderMayBeSlow() throws IOException {
        assertArrives(times -> new DriverContext(), 512);
    }

    /** If this thread is held up, everything takes longer in the next try, and the linger time too. */
    private void assertArrives(LongFunction<DriverContext> contexts, int pieceLength) throws IOException {
        for (long times = 1; times <= LONGEST; times *= 2) {
            if (arrives(contexts.apply(times), times, pieceLength)) {
                return;
            }
        }
        throw new AssertionError("the machine has held this thread up each time");
    }

    /** Returns false if this thread was held up for so long that the driver could take its process for dead. */
    private boolean arrives(DriverContext context, long times, int pieceLength) throws IOException {
        long lingerNs = times * LINGER_NS;
        long longest = 0;
        long last = System.nanoTime();
        try (TestDriver driver = new TestDriver(context.lingerNs(lingerNs));
                RawPair pair = new RawPair(driver)) {
            fill(pair);
            last = System.nanoTime();
            pair.near.close();
            byte[] received = new byte[sent.length];
            byte[] piece = new byte[pieceLength];
            for (int done = 0; done < sent.length; ) {
                int length = pair.far.read(piece);
                System.arraycopy(piece, 0, received, done, Math.max(0, length));
                done += Math.max(0, length);
                LockSupport.parkNanos(times * PAUSE_NS);
                longest = Math.max(longest, System.nanoTime() - last);
                last = System.nanoTime();
            }
            assertArrayEquals(sent, received);
            TestDriver.await("end-of-file", () -> pair.far.read(piece) < 0);
            return true;
        } catch (RawException e) {
            if (Math.max(longest, System.nanoTime() - last) < lingerNs / 2) {
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
    @Timeout(240)
    void aRateMayBeLow() throws IOException {
        // When the socket is closed, 64 KB are left, which take a second.
        assertArrives(times -> new DriverContext().rate((64 << 10) / times), RawSocket.RING);
    }
}
