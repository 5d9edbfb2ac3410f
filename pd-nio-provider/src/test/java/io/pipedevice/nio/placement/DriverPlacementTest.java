// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.rendezvous.PeerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import sun.nio.ch.DefaultSelectorProvider;

/** A driver that is stopped: every connect to it succeeds, but it does not answer. */
@Timeout(60)
class DriverPlacementTest {
    @TempDir
    private Path directory;

    private UnixSocket standStill() throws IOException {
        UnixSocket listener = UnixSocket.listen(
                UnixSocket.Type.SEQPACKET, UnixAddress.path(directory.resolve(DriverDirectory.SOCKET_NAME)), 16);
        listener.nonBlocking(true);
        return listener;
    }

    @Test
    void aSilentDriverIsNotContactedAgainByTheNextConnections() throws IOException {
        try (UnixSocket driver = standStill()) {
            DriverPlacement network = new DriverPlacement(
                    directory, new PdOptions(), PeerOptions.read(), new Locality(DefaultSelectorProvider.get()));
            for (int i = 0; i < 3; i++) {
                assertNull(network.attach());
            }
            // No thread waits at the second: it shows when the driver goes on, or ends.
            try (UnixSocket attachment = driver.accept();
                    UnixSocket introductions = driver.accept()) {
                assertNotNull(attachment);
                assertNotNull(introductions);
                assertNull(driver.accept(), "it was asked twice");
            }
        }
    }

    @Test
    void aThreadThatContactsTheDriverAgainBlocksNoOther() throws Exception {
        DriverPlacement network = new DriverPlacement(
                directory, new PdOptions(), PeerOptions.read(), new Locality(DefaultSelectorProvider.get()));
        assertNull(network.attach(), "no driver is there");
        try (UnixSocket driver = standStill()) {
            AtomicBoolean asking = new AtomicBoolean();
            FutureTask<?> asker = new FutureTask<>(() -> {
                while (!asking.get()) {
                    network.attach();
                }
                return null;
            });
            Thread.ofPlatform().daemon().start(asker);
            AtomicReference<UnixSocket> asked = new AtomicReference<>();
            Awaitility.await().until(() -> {
                asked.set(driver.accept());
                return asked.get() != null;
            });
            try (UnixSocket connection = asked.get()) {
                asking.set(true);
                assertNull(network.attach());
                assertFalse(asker.isDone(), "it waited until " + connection.fd() + " was given up");
            }
            asker.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void isWarnedOfOnceWithThePropertyIfItsDirectoryDoesNotExist() {
        List<String> warnings = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("io.pipedevice");
        logger.setFilter(line -> {
            warnings.add(line.getLevel() + " " + line.getMessage());
            return false;
        });
        try {
            Path nowhere = directory.resolve("nowhere");
            DriverPlacement network = new DriverPlacement(
                    nowhere, new PdOptions(), PeerOptions.read(), new Locality(DefaultSelectorProvider.get()));
            // Once a second there is an attempt.
            Awaitility.await().during(1500, TimeUnit.MILLISECONDS).until(() -> network.attach() == null);
            assertEquals(
                    List.of("WARNING pipedevice.driver = " + nowhere
                            + ": this directory does not exist; connections stay on"
                            + " kernel TCP until a driver serves there"),
                    warnings);
        } finally {
            logger.setFilter(null);
        }
    }

    @Test
    void isWarnedOfOnceIfItIsThereAndDoesNotServe() throws IOException {
        AtomicInteger warnings = new AtomicInteger();
        Logger logger = Logger.getLogger("io.pipedevice");
        logger.setFilter(line -> {
            warnings.addAndGet(line.getLevel().equals(Level.WARNING) ? 1 : 0);
            return false;
        });
        try {
            DriverPlacement network = new DriverPlacement(
                    directory, new PdOptions(), PeerOptions.read(), new Locality(DefaultSelectorProvider.get()));
            assertNull(network.attach());
            assertEquals(0, warnings.get(), "it may come yet");
            UnixAddress address = UnixAddress.path(directory.resolve(DriverDirectory.SOCKET_NAME));
            try (UnixSocket other = UnixSocket.listen(UnixSocket.Type.STREAM, address, 1)) {
                // Once a second there is an attempt.
                Awaitility.await().during(1500, TimeUnit.MILLISECONDS).until(() -> network.attach() == null);
                assertEquals(1, warnings.get(), () -> "of " + other.fd());
            }
        } finally {
            logger.setFilter(null);
        }
    }
}
