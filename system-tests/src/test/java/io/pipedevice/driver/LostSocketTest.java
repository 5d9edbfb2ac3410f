// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.UnixSocket;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Others that may write to the driver's directory remove or replace its socket. */
@Tag("processes")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LostSocketTest {
    private static final String WARNING = "was removed or replaced by others";

    @TempDir
    private Path directory;

    /** What becomes of the socket. */
    enum Loss {
        REMOVED {
            @Override
            void inflict(Path socket) throws IOException {
                Files.delete(socket);
            }
        },
        RENAMED {
            @Override
            void inflict(Path socket) throws IOException {
                Files.move(socket, socket.resolveSibling("elsewhere"));
            }
        },
        REPLACED {
            @Override
            void inflict(Path socket) throws IOException {
                Files.delete(socket);
                Files.writeString(socket, "no socket");
            }
        };

        abstract void inflict(Path socket) throws IOException;
    }

    private Path socket() {
        return directory.resolve(LockedDirectory.SOCKET);
    }

    /** The process that listens, or -1. */
    private long listener() {
        try (UnixSocket connection = TestDriver.endpoint(directory).connect()) {
            return connection.peerCredentials().pid();
        } catch (IOException e) {
            return -1;
        }
    }

    private void awaitListener(ChildJvm driver) {
        Awaitility.await("listener " + driver.pid()).until(() -> listener() == driver.pid());
    }

    private static long warnings(ChildJvm driver) {
        return driver.said().stream().filter(line -> line.contains(WARNING)).count();
    }

    private static void exchange(ChildJvm pair) throws IOException {
        pair.send("1");
        pair.expect("STREAM");
        pair.expect("DELAY");
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void programsFindTheDriverAgainAfterItsSocketWas(Loss loss) throws IOException {
        try (ChildJvm driver = DriverProcess.start(directory);
                ChildJvm before = ChildJvm.start(PairProcess.class, directory.toString())) {
            before.expect("READY");
            loss.inflict(socket());
            awaitListener(driver);
            try (ChildJvm after = ChildJvm.start(PairProcess.class, directory.toString())) {
                after.expect("READY");
                exchange(after);
            }
            exchange(before);
            assertEquals(1, warnings(driver), () -> driver.said().toString());
        }
    }

    @Test
    void aSocketThatIsLostManyTimesIsWarnedOfOnce() throws IOException {
        try (ChildJvm driver = DriverProcess.start(directory)) {
            for (int i = 0; i < 3; i++) {
                Files.delete(socket());
                awaitListener(driver);
            }
            assertEquals(1, warnings(driver), () -> driver.said().toString());
        }
    }

    @Test
    @SuppressWarnings("try")
    void aDriverThatHasTakenThePlaceIsLeftAlone() throws Exception {
        try (ChildJvm first = DriverProcess.start(directory)) {
            // Without this file the second driver would not start.
            Files.delete(directory.resolve("driver.lock"));
            try (ChildJvm second = DriverProcess.start(directory)) {
                Awaitility.await("the warning").until(() -> warnings(first) > 0);
                assertTrue(
                        first.hasSaid("another driver runs on"),
                        () -> first.said().toString());
                assertEquals(second.pid(), listener());
            }
            awaitListener(first);
            try (ChildJvm third = DriverProcess.start(freed(first))) {
                first.send("end");
                assertTrue(first.exits(60));
                assertEquals(third.pid(), listener(), "a driver that ends removes no socket of another one");
            }
        }
    }

    private Path freed(ChildJvm driver) throws IOException {
        assertTrue(driver.isAlive());
        Files.delete(directory.resolve("driver.lock"));
        return directory;
    }
}
