// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.broker.Broker;
import io.pipedevice.broker.Introduction;
import io.pipedevice.jdk.Literals;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Connects by the kernel, has a driver introduce the connection or the server prove it, and sends messages that come
 * back, on rings or on the kernel. Used by one thread.
 */
public final class HonestClient implements AutoCloseable {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int MOST = 2000;
    private static final int MESSAGES = 3;

    private final PeerNetwork network = new PeerNetwork();
    private final Broker broker;
    private final Random random;

    /** How many connections went on by rings, and why the last one did not. */
    private long onRings;

    private String why = "";

    /** Joins the driver. */
    public HonestClient(Broker.Endpoint driver, long seed) {
        broker = new Broker(driver, network);
        broker.join();
        random = new Random(seed);
    }

    /** The number of connections so far that went on by rings. */
    public long onRings() {
        return onRings;
    }

    /** Why the last connection that did not go on by rings did not. */
    public String why() {
        return why;
    }

    /** Makes one connection. An AssertionError means that bytes were wrong or lost. */
    public void once(InetSocketAddress to) throws IOException {
        try (SocketChannel channel =
                SocketChannel.open().bind(new InetSocketAddress(Literals.address("127.0.0.1"), 0))) {
            InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
            broker.join();
            Introduction introduction = broker.intend(local.getPort(), to);
            channel.connect(to);
            if (introduction == null) {
                why = "not announced";
                exchange(channel);
                return;
            }
            introduction.ask(HonestServer.socket(channel), local, () -> {});
            try {
                if (!introduction.await(PATIENCE_NS)) {
                    introduction.withdraw();
                    introduction.awaitUnread();
                    why = "not decided";
                    exchange(channel);
                    return;
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            meet(introduction, channel, local, to);
        }
    }

    private void meet(Introduction introduction, SocketChannel channel, InetSocketAddress local, InetSocketAddress to)
            throws IOException {
        PeerSocket rings;
        try {
            rings = introduction.connect(local, to, false);
        } catch (PeerRefusal e) {
            why = e.reason() + " " + e.getMessage();
            exchange(channel);
            return;
        }
        try (rings) {
            PingPong messages = new PingPong(rings, random.nextLong());
            for (int i = 0; i < MESSAGES; i++) {
                messages.once();
            }
            onRings++;
        }
    }

    private void exchange(SocketChannel channel) throws IOException {
        byte[] sent = new byte[1 + random.nextInt(MOST)];
        random.nextBytes(sent);
        channel.write(ByteBuffer.wrap(sent));
        ByteBuffer received = ByteBuffer.allocate(sent.length);
        while (received.hasRemaining()) {
            if (channel.read(received) < 0) {
                throw new AssertionError("the kernel's connection has ended");
            }
        }
        if (received.flip().mismatch(ByteBuffer.wrap(sent)) >= 0) {
            throw new AssertionError("wrong bytes on the kernel's connection");
        }
    }

    @Override
    public void close() {
        network.close();
    }
}
