// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.pipedevice.client.ControlEndpoint;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.test.DriverLog;
import io.pipedevice.test.TestFiles;
import io.pipedevice.wait.FairTimeout;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** A driver in the test's process, with a directory and access to its counters. */
final class TestDriver implements AutoCloseable {
    static final long PATIENCE_NS = 30_000_000_000L;
    static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    static {
        DriverLog.quiet();
    }

    final Path directory;
    final PipeDeviceDriver driver;
    final DriverStat stat;

    TestDriver(DriverContext context) throws IOException {
        directory = Files.createTempDirectory("faults-driver");
        try {
            driver = PipeDeviceDriver.launch(context.directory(directory));
            stat = DriverStat.open(directory);
        } catch (IOException | RuntimeException e) {
            TestFiles.delete(directory);
            throw e;
        }
    }

    TestDriver() throws IOException {
        this(new DriverContext());
    }

    /** The endpoint at which other processes find a driver. */
    static ControlEndpoint endpoint(Path directory) {
        return () -> UnixSocket.connect(
                UnixSocket.Type.SEQPACKET, UnixAddress.path(directory.resolve(LockedDirectory.SOCKET)));
    }

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(LOOPBACK, port);
    }

    RawClient attach() throws IOException {
        return RawClient.attach(driver);
    }

    /**
     * The current value of a counter. The driver publishes its own counters at the end of a duty cycle, after the
     * effects that they count, so a test that has seen an effect must await the counter.
     */
    long counter(CounterType type) throws IOException {
        return counter(stat, type);
    }

    /** A counter of the driver, or the sum of those of all processes. */
    static long counter(DriverStat stat, CounterType type) throws IOException {
        return stat.values().stream()
                .filter(value -> value.type() == type.id())
                .mapToLong(DriverStat.Value::value)
                .sum();
    }

    void awaitCounter(CounterType type, long expected) throws IOException {
        awaitCounter(stat, type, expected);
    }

    static void awaitCounter(DriverStat stat, CounterType type, long expected) {
        await(
                type.label() + " to be " + expected,
                () -> counter(stat, type) == expected,
                () -> "it is " + counter(stat, type));
    }

    void awaitAtLeast(CounterType type, long least) {
        await(type.label() + " to be at least " + least, () -> counter(type) >= least, () -> "it is " + counter(type));
    }

    /** Waits until the driver keeps no resource of any process. */
    void awaitNothingLeft() throws IOException {
        awaitNothingLeft(stat);
    }

    static void awaitNothingLeft(DriverStat stat) {
        awaitCounter(stat, CounterType.PROCESSES, 0);
        awaitCounter(stat, CounterType.CONNECTIONS, 0);
        for (CounterType type : CounterType.values()) {
            if (type.id() >= CounterType.PROCESS_SOCKETS.id()) {
                awaitCounter(stat, type, 0);
            }
        }
    }

    static void await(String what, Callable<Boolean> condition) {
        await(what, condition, () -> "");
    }

    static void await(String what, Callable<Boolean> condition, Callable<String> state) {
        try {
            FairTimeout timeout = new FairTimeout(System.nanoTime(), PATIENCE_NS);
            while (!condition.call()) {
                if (timeout.isOver()) {
                    throw new AssertionError("timed out waiting for " + what + "; " + state.call());
                }
                LockSupport.parkNanos(200_000);
            }
        } catch (AssertionError e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("while waiting for " + what, e);
        }
    }

    @Override
    public void close() throws IOException {
        stat.close();
        driver.close();
        boolean left = Files.exists(directory.resolve(LockedDirectory.SOCKET));
        TestFiles.delete(directory);
        assertFalse(left, "a closed driver leaves its socket");
    }
}
