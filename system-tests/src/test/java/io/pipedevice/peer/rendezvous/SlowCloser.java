// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.protocol.PeerName;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TestAddresses;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Sends a listener descriptors whose close blocks: TCP sockets with SO_LINGER that have data to send to a socket that
 * reads nothing. That socket belongs to this process, whose end also ends the lingering. It prints DONE when it has
 * sent all.
 */
final class SlowCloser {
    private static final int TRAPS = 100;
    private static final int LINGER_S = 300;
    private static final int CONNECT_MS = 1_000;
    private static final int RING = 64 << 10;
    private static final int LINKS = 20;
    private static final int RINGS_OF_A_LINK = 200;
    private static final int TRAPS_OF_A_LINK = 20;
    private static final int SLOT = 0;

    /** Threads that close the sent sockets; they may wait until this process ends. */
    private final ExecutorService closers =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

    private final ServerSocketChannel deaf;
    private final InetSocketAddress to;
    private final LinkMessage message = new LinkMessage(new Disposal());

    private SlowCloser(InetSocketAddress to) throws IOException {
        this.to = to;
        deaf = ServerSocketChannel.open()
                .setOption(StandardSocketOptions.SO_RCVBUF, 4096)
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
    }

    public static void main(String[] arguments) throws IOException {
        SlowCloser closer = new SlowCloser(TestAddresses.loopback(Integer.parseInt(arguments[0])));
        switch (arguments[1]) {
            case "hello" -> closer.sayHellos();
            case "ring" -> closer.announceRings();
            default -> closer.ring();
        }
        System.out.println("DONE");
        System.in.read();
        System.exit(0);
    }

    /** A socket whose close blocks, and its descriptor. */
    private final class Trap implements AutoCloseable {
        private final SocketChannel channel;
        private final Fd fd;
        private boolean sent;

        Trap(SocketChannel channel, Fd fd) {
            this.channel = channel;
            this.fd = fd;
        }

        @Override
        public void close() throws IOException {
            if (sent) {
                // The later of the two closes waits, and the listener's may have come first.
                closers.execute(this::closeChannel);
            } else {
                channel.setOption(StandardSocketOptions.SO_LINGER, -1);
                channel.close();
            }
        }

        private void closeChannel() {
            try {
                channel.close();
            } catch (IOException e) {
                System.out.println("cannot close: " + e);
            }
        }
    }

    private Trap trap() throws IOException {
        // Compare inodes, because another thread may free a number between the two looks.
        Set<String> before = sockets().keySet();
        SocketChannel channel = SocketChannel.open();
        Map<String, Integer> now = sockets();
        now.keySet().removeAll(before);
        channel.setOption(StandardSocketOptions.SO_LINGER, LINGER_S);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, 16 << 10);
        channel.connect(deaf.getLocalAddress());
        channel.configureBlocking(false);
        ByteBuffer bytes = ByteBuffer.allocate(64 << 10);
        while (channel.write(bytes.clear()) > 0) {
            Thread.onSpinWait();
        }
        return new Trap(channel, Fd.own(now.values().iterator().next()));
    }

    /** The open sockets by their names in /proc, with their descriptors. */
    private static Map<String, Integer> sockets() {
        Map<String, Integer> sockets = new HashMap<>();
        for (String name : new File("/proc/self/fd").list()) {
            try {
                String target =
                        Files.readSymbolicLink(Path.of("/proc/self/fd", name)).toString();
                if (target.startsWith("socket:")) {
                    sockets.put(target, Integer.parseInt(name));
                }
            } catch (IOException e) {
                // Another thread has closed this descriptor, so it is not the new one.
            }
        }
        return sockets;
    }

    private void sayHellos() throws IOException {
        for (int i = 0; i < TRAPS; i++) {
            try (Trap trap = trap()) {
                trap.sent = sayHello(trap.fd);
            }
        }
        try (EventFd event = EventFd.open()) {
            Fd[] many = new Fd[UnixSocket.MAX_FDS];
            Arrays.fill(many, event.fd());
            for (int i = 0; i < 2 * TRAPS; i++) {
                sayHello(many);
            }
        }
    }

    /** Sends a HELLO at once, or, if that fails, when the listener has answered. */
    private boolean sayHello(Fd... descriptors) throws IOException {
        try (UnixSocket socket = UnixSocket.connect(UnixSocket.Type.SEQPACKET, PeerName.of(to), CONNECT_MS)) {
            return say(socket, LinkMessageDescriptor.HELLO, 0, descriptors)
                    || (RawPeer.awaitReady(socket, message)
                            && say(socket, LinkMessageDescriptor.HELLO, 0, descriptors));
        } catch (IOException e) {
            System.out.println("not served: " + e);
            return false;
        }
    }

    private boolean say(UnixSocket socket, int type, int number, Fd... descriptors) {
        try {
            return message.send(socket, type, number, RING, descriptors);
        } catch (LinuxException e) {
            return false;
        }
    }

    private void announceRings() {
        for (int i = 0; i < LINKS; i++) {
            try (RawPeer raw = RawPeer.meet(to)) {
                raw.connect(SLOT, 1, TestAddresses.loopback(3), to);
                announceRings(raw);
            } catch (IOException e) {
                System.out.println("not served: " + e);
            }
        }
    }

    private void announceRings(RawPeer raw) throws IOException {
        for (int ring = 1; ring <= RINGS_OF_A_LINK; ring++) {
            if (ring <= TRAPS_OF_A_LINK) {
                try (Trap trap = trap()) {
                    trap.sent = raw.say(LinkMessageDescriptor.RING, ring, RING, trap.fd);
                }
            } else {
                try (EventFd event = EventFd.open()) {
                    raw.say(LinkMessageDescriptor.RING, ring, RING, event.fd());
                }
            }
            raw.say(LinkMessageDescriptor.RING, ring, 0);
            if (ring % 10 == 0) {
                makeItRead(raw, ring / 10);
            }
        }
    }

    /** Makes the server send a byte back, and look for the bell that it must ring. */
    private static void makeItRead(RawPeer raw, int time) throws IOException {
        long before = raw.peerWord(SLOT, LinkMemoryDescriptor.TAIL_OFFSET);
        raw.word(SLOT, LinkMemoryDescriptor.READ_ARM_OFFSET, PeerArmWord.of(1000, time, 1));
        raw.tail(SLOT, time);
        for (int i = 0; i < 200 && raw.peerWord(SLOT, LinkMemoryDescriptor.TAIL_OFFSET) == before; i++) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    private void ring() throws IOException {
        try (RawPeer raw = RawPeer.meet(to)) {
            for (int i = 0; i < 2 * TRAPS; i++) {
                try (Trap trap = trap()) {
                    trap.sent = say(raw.bells.get(PeerArmWord.DISPATCHER), LinkMessageDescriptor.BELL, 1, trap.fd);
                }
            }
        }
    }
}
