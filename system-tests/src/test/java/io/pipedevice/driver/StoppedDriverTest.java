// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.test.ChildJvm;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A driver that does not run for a while, as on a machine without a free processor. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class StoppedDriverTest {
    @TempDir
    private Path directory;

    private static PdSocket[] pair(PipeDevice device) throws PdException {
        try (PdSocket listener = device.socket()) {
            listener.bind(TestDriver.loopback(0));
            listener.listen(1);
            PdSocket client = device.socket();
            client.connect(listener.localAddress());
            return new PdSocket[] {client, listener.accept(PipeDevice.FOREVER)};
        }
    }

    /** A thread closes a socket also when it leaves a read that another thread has ended. */
    @Test
    void aCloseDoesNotWaitForTheCallOfAnotherThread() throws Exception {
        try (ChildJvm driver = DriverProcess.start(directory);
                PipeDevice device = PipeDevice.init(DriverDirectory.at(directory))) {
            PdSocket[] ends = pair(device);
            driver.signal("STOP");
            CompletableFuture<Void> opened = new CompletableFuture<>();
            Thread asks = Thread.ofPlatform().daemon().start(() -> {
                try {
                    device.socket().close();
                    opened.complete(null);
                } catch (PdException e) {
                    opened.completeExceptionally(e);
                }
            });
            TestDriver.await("the call", () -> isInCall(asks));
            CompletableFuture<Void> closed = new CompletableFuture<>();
            Thread.ofPlatform().daemon().start(() -> {
                ends[0].abort();
                closed.complete(null);
            });
            CompletableFuture.anyOf(opened, closed).get();
            assertTrue(closed.isDone() && !opened.isDone(), "the close waits for the call");
            driver.signal("CONT");
            opened.get();
            PdException reset = assertThrows(PdException.class, () -> readOf(ends[1]));
            assertEquals(Errno.ECONNRESET, reset.errno());
            ends[1].close();
        }
    }

    private static int readOf(PdSocket socket) throws PdException {
        socket.awaitReadable(PipeDevice.FOREVER);
        return socket.read(ByteBuffer.allocate(1));
    }

    private static boolean isInCall(Thread thread) {
        return thread.getState() == Thread.State.RUNNABLE
                && Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("receive")
                                && frame.getClassName().endsWith(".ControlChannel"));
    }
}
