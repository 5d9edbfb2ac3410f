// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdStream;
import io.pipedevice.nio.placement.RingConnection;
import io.pipedevice.nio.stat.RingPath;
import io.pipedevice.peer.link.ClientLink;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.rendezvous.PlayedNetworks;
import io.pipedevice.peer.stream.PeerSocket;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A socket of java.net on rings, whose peer is in this process. Its link and doorbells are real, so that its threads
 * park and are woken. It has no kernel socket.
 */
final class RingedSocket {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(
            InetAddress.getLoopbackAddress(), 1 + (int) (ProcessHandle.current().pid() % 60_000));
    private static final ChannelHome HOME =
            new ChannelHome(SelectorProvider.provider(), SelectorProvider.provider(), null, null, null, true);
    private static final PeerListener LISTENER;
    private static final ClientLink LINK;

    static {
        try {
            PeerNetwork network = PlayedNetworks.patient();
            LISTENER = network.listen(ADDRESS, 1000);
            LINK = (ClientLink) network.meet(ADDRESS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final ClassicSocketImpl socket = new ClassicSocketImpl(HOME);
    private final PeerSocket peer;
    private final InputStream in;
    private final OutputStream out;

    private RingedSocket() throws IOException {
        PeerSocket own;
        synchronized (LINK) {
            own = LINK.connect(ADDRESS, ADDRESS);
            peer = LISTENER.accept();
        }
        socket.accepted(PdSocketChannel.accepted(HOME, new Rings(own), Map.of()));
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    static RingedSocket connect() {
        try {
            return new RingedSocket();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sets the timeout of reads. */
    RingedSocket within(int millis) {
        try {
            socket.setOption(SocketOptions.SO_TIMEOUT, millis);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The byte that a read returns, -1 at the end, or the message of its exception. */
    String read() {
        try {
            return Integer.toString(in.read());
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    /** Writes until that fails; returns the message of the exception. */
    String writeForEver() {
        byte[] some = new byte[10_000];
        try {
            while (true) {
                out.write(some);
            }
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    void shutdownInput() {
        try {
            socket.shutdownInput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The peer sends a byte. */
    void peerSends(int value) {
        try {
            peer.write(ByteBuffer.wrap(new byte[] {(byte) value}));
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the peer finds the end of the stream. */
    boolean peerFindsEnd() {
        ByteBuffer some = ByteBuffer.allocate(100_000);
        try {
            int count;
            do {
                count = peer.read(some.clear());
            } while (count > 0);
            return count < 0;
        } catch (PdException e) {
            return false;
        }
    }

    /** Closes both ends. */
    void end() {
        close();
        peer.close();
    }

    /** Waits for some microseconds, busily. */
    static void pause(int least, int most) {
        long end = System.nanoTime() + 1000L * ThreadLocalRandom.current().nextInt(least, most + 1);
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** The rings of a connection, which do not grow. */
    private record Rings(PeerSocket socket) implements RingConnection {
        Rings {
            socket.sendSize(1);
        }

        @Override
        public PdStream stream() {
            return socket;
        }

        @Override
        public RingPath path() {
            return RingPath.DIRECT;
        }

        @Override
        public void linger(int seconds) {
            throw new AssertionError("no test lingers");
        }

        @Override
        public void sendSize(int bytes) {
            socket.sendSize(bytes);
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
