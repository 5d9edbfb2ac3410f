// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.lang.System.Logger.Level;

/**
 * A driver, two honest processes that are connected, and a hostile one. {@link #close} checks that the honest ones
 * still work, and that the driver keeps no resource of any process.
 */
final class HostileFixture implements AutoCloseable {
    final int fdsBefore = TestFds.kernelObjects(0);
    final DriverLog log = new DriverLog();
    final TestDriver driver;
    final RawPair pair;
    RawClient hostile;

    HostileFixture(DriverContext context) throws IOException {
        driver = new TestDriver(context);
        pair = new RawPair(driver);
        hostile = driver.attach();
    }

    HostileFixture() throws IOException {
        this(new DriverContext());
    }

    /**
     * Asserts that the hostile process was detached for a reason, that the log and the counters show it, and that the
     * others continue.
     */
    void assertDetached(String reason) throws IOException {
        assertTrue(hostile.control.awaitEnd(30_000), () -> "not detached; log: " + log.messages(Level.INFO));
        driver.awaitCounter(CounterType.PROCESSES, 2);
        driver.awaitCounter(CounterType.DETACHED, 1);
        assertTrue(log.has(Level.WARNING, reason), () -> "log: " + log.messages(Level.INFO));
        assertTrue(
                log.has(Level.WARNING, "(attachment " + hostile.cid + ")"), () -> "log: " + log.messages(Level.INFO));
        pair.exchange();
    }

    /** Sends the hostile process's request, and asserts that the driver refuses it. */
    void assertRefused(int errno, Fd... along) throws IOException {
        ControlMessage answer = hostile.control.call(along);
        assertEquals(Errno.name(errno), Errno.name(answer.status()), answer.text());
        assertEquals(0, hostile.control.fds.count());
    }

    /** Asserts that the driver still serves the hostile process and the others. */
    void assertServed() throws IOException {
        hostile.socket().close();
        pair.exchange();
        assertEquals(0, driver.counter(CounterType.DETACHED), () -> "log: " + log.messages(Level.INFO));
    }

    @Override
    public void close() throws IOException {
        try {
            pair.exchange();
            hostile.close();
            pair.close();
            driver.awaitNothingLeft();
            assertTrue(log.messages(Level.ERROR).isEmpty(), () -> "log: " + log.messages(Level.INFO));
        } finally {
            hostile.close();
            pair.close();
            driver.close();
            log.close();
        }
        // Not as many: a descriptor of an earlier test may have been about to be closed.
        TestDriver.await(
                "no more descriptors than " + fdsBefore,
                () -> TestFds.kernelObjects(0) <= fdsBefore,
                () -> "they are " + TestFds.kernelObjects(0));
    }
}
