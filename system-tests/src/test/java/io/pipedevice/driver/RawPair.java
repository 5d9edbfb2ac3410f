// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Random;

/** Two honest processes, connected to each other, which no other process may disturb. */
final class RawPair implements AutoCloseable {
    final RawClient client;
    final RawClient server;
    final RawSocket listener;
    final RawSocket near;
    final RawSocket far;
    private final Random random = new Random(1);

    RawPair(TestDriver driver) throws IOException {
        this(driver.attach(), driver.attach());
    }

    RawPair(RawClient client, RawClient server) throws IOException {
        this.client = client;
        this.server = server;
        listener = server.listen(TestDriver.loopback(0), 16, RawSocket.RING);
        near = client.socket().connect(listener.local);
        far = listener.accept();
    }

    /** Sends data in both directions, and checks that they arrive. */
    void exchange() throws IOException {
        exchange(near, far);
        exchange(far, near);
    }

    private void exchange(RawSocket from, RawSocket to) throws IOException {
        byte[] sent = new byte[1 + random.nextInt(RawSocket.RING)];
        random.nextBytes(sent);
        from.writeFully(sent);
        assertArrayEquals(sent, to.readFully(sent.length), () -> from + " to " + to);
        assertEquals(0, to.available(), () -> from + " to " + to);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
