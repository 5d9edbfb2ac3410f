// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.peer.link.Sweeper;
import io.pipedevice.peer.ring.PeerMonitor;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server of {@link SlowCloseTest}, which echoes. Argument: {@code guarded} if the kernel is to refuse descriptors.
 */
final class SlowCloseServer {
    private static final int PORT = FixedPort.SLOW_CLOSE.number();
    private static final int PATIENCE_MS = 5_000;

    private SlowCloseServer() {}

    public static void main(String[] arguments) throws Exception {
        AtomicInteger strangers = new AtomicInteger();
        PeerMonitor monitor = new PeerMonitor() {
            @Override
            public void strangerRefused() {
                strangers.incrementAndGet();
            }

            @Override
            public void closing(int change) {}
        };
        boolean guarded = arguments[0].equals("guarded");
        PeerNetwork network = new PeerNetwork(
                PeerOptions.read().withHandshakeMillis(PATIENCE_MS),
                PortRule.NAME_ALONE,
                new Disposal(),
                new Sweeper(),
                () -> {},
                monitor,
                guarded);
        PeerListener listener = network.listen(TestAddresses.loopback(PORT), 64);
        System.out.println("LISTENING");
        Deque<PeerSocket> open = new ArrayDeque<>();
        while (true) {
            PeerSocket accepted = acceptMaybe(listener);
            if (accepted != null) {
                open.add(accepted);
            }
            for (int left = open.size(); left > 0; left--) {
                PeerSocket socket = open.poll();
                if (echo(socket)) {
                    open.add(socket);
                }
            }
            if (System.in.available() > 0) {
                System.in.skipNBytes(System.in.available());
                System.out.println("STRANGERS " + strangers.get());
            }
            Thread.sleep(1);
        }
    }

    private static PeerSocket acceptMaybe(PeerListener listener) {
        try {
            return listener.accept();
        } catch (IOException e) {
            System.out.println("cannot accept: " + e);
            return null;
        }
    }

    /** Returns false if the connection has ended. */
    private static boolean echo(PeerSocket socket) {
        ByteBuffer bytes = ByteBuffer.allocate(64);
        try {
            int read = socket.read(bytes);
            if (read > 0) {
                socket.write(bytes.flip());
            }
            if (read >= 0) {
                return true;
            }
        } catch (PdException e) {
            System.out.println("a connection fails: " + e);
        }
        socket.close();
        return false;
    }
}
