// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.pipedevice.client.ControlEndpoint;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An attachment of the test's own process with a listener that accepts every connection and reads until the connection
 * ends in any way. {@link #close} checks that the attachment still works.
 */
final class OpenHouse implements AutoCloseable {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final PipeDevice device;
    private final PdSocket listener;
    private final Thread thread = new Thread(this::receive, "open house");
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean closing;

    OpenHouse(ControlEndpoint driver) throws IOException {
        device = PipeDevice.init(driver);
        listener = device.socket();
        listener.bind(TestDriver.loopback(0));
        listener.listen(16);
        thread.start();
    }

    int port() {
        return listener.localAddress().getPort();
    }

    private void receive() {
        try {
            while (!closing) {
                try (PdSocket guest = listener.accept(LOOK_NS)) {
                    if (guest != null) {
                        receive(guest);
                    }
                }
            }
        } catch (PdException | RuntimeException | Error e) {
            failure.set(e);
        }
    }

    /** Closes the connection of a guest that sends nothing for a while. */
    private static void receive(PdSocket guest) {
        PdBuffer piece = new PdBuffer();
        try {
            int length = guest.recv(1000, piece, LOOK_NS);
            while (length > 0) {
                guest.recvDone(length);
                length = guest.recv(1000, piece, LOOK_NS);
            }
        } catch (PdException e) {
            // The guest was reset, killed or detached, which is expected here.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        closing = true;
        try (device) {
            thread.join();
            assertNull(failure.get());
            device.socket().close();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
