// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.jdk.Literals;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.UrgentByte;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import sun.nio.ch.SelChImpl;

/**
 * TCP sockets in all states that a process can bring them into. Some of the last ones are kept open, because another
 * process may still look at them. Used by one thread.
 */
public final class TcpStates implements AutoCloseable {
    private static final int MOST_OPEN = 24;
    private static final int BUFFER = 4096;

    private static final Maker[] MAKERS = {
        TcpStates::unbound,
        TcpStates::bound,
        TcpStates::listening,
        TcpStates::connecting,
        TcpStates::established,
        TcpStates::unread,
        TcpStates::unsent,
        TcpStates::finished,
        TcpStates::finishedUnsent,
        TcpStates::abandoned,
        TcpStates::closed,
        TcpStates::lastAck,
        TcpStates::reset,
        TcpStates::urgent,
        TcpStates::lingering,
        TcpStates::sixth
    };

    private final ServerSocketChannel listener;

    /** Its backlog is full, so that a connect does not come to an end. */
    private final ServerSocketChannel full;

    private final ArrayDeque<Channel> open = new ArrayDeque<>();

    /** A socket in a state, and a name for the state. */
    public record Named(String name, Fd fd) {}

    private interface Maker {
        Named make(TcpStates states) throws IOException;
    }

    /** Opens what the states need. */
    public TcpStates() throws IOException {
        InetSocketAddress any = new InetSocketAddress(Literals.address("127.0.0.1"), 0);
        listener = ServerSocketChannel.open()
                .setOption(StandardSocketOptions.SO_RCVBUF, BUFFER)
                .bind(any, 64);
        full = ServerSocketChannel.open().bind(any, 1);
        for (int i = 0; i < 4; i++) {
            begin(full);
        }
    }

    /** The descriptor of a channel, which stays the channel's. */
    public static Fd fd(Channel channel) {
        return Fd.own(((SelChImpl) channel).getFDVal());
    }

    /** Makes a socket in a random state. */
    public Named any(Random random) throws IOException {
        Named made = MAKERS[random.nextInt(MAKERS.length)].make(this);
        while (open.size() > MOST_OPEN) {
            open.remove().close();
        }
        return made;
    }

    private <C extends Channel> C keep(C channel) {
        open.add(channel);
        return channel;
    }

    private Named named(String name, Channel channel) {
        return new Named("TCP socket " + name, fd(channel));
    }

    private SocketChannel begin(ServerSocketChannel to) throws IOException {
        SocketChannel channel = keep(SocketChannel.open());
        channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER).configureBlocking(false);
        channel.connect(to.getLocalAddress());
        return channel;
    }

    /** This end and the other one. */
    private List<SocketChannel> pair() throws IOException {
        SocketChannel one = keep(SocketChannel.open());
        one.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER).connect(listener.getLocalAddress());
        one.configureBlocking(false);
        List<SocketChannel> both = new ArrayList<>();
        both.add(one);
        both.add(keep(listener.accept()));
        return both;
    }

    private SocketChannel filled() throws IOException {
        SocketChannel one = pair().getFirst();
        ByteBuffer bytes = ByteBuffer.allocate(BUFFER);
        while (one.write(bytes.clear()) > 0) {
            Thread.onSpinWait();
        }
        return one;
    }

    private Named unbound() throws IOException {
        return named("that is not bound", keep(SocketChannel.open()));
    }

    private Named bound() throws IOException {
        return named("that is bound", keep(SocketChannel.open()).bind(null));
    }

    private Named listening() throws IOException {
        return named("that listens", keep(ServerSocketChannel.open()).bind(null));
    }

    private Named connecting() throws IOException {
        return named("in SYN_SENT", begin(full));
    }

    private Named established() throws IOException {
        return named("of another connection", pair().getFirst());
    }

    private Named unread() throws IOException {
        List<SocketChannel> both = pair();
        both.getLast().write(ByteBuffer.allocate(100));
        return named("with unread bytes", both.getFirst());
    }

    private Named unsent() throws IOException {
        return named("with unsent bytes", filled());
    }

    private Named finished() throws IOException {
        return named("in FIN_WAIT2", pair().getFirst().shutdownOutput());
    }

    private Named finishedUnsent() throws IOException {
        return named("in FIN_WAIT1", filled().shutdownOutput());
    }

    private Named abandoned() throws IOException {
        List<SocketChannel> both = pair();
        both.getLast().shutdownOutput();
        return named("in CLOSE_WAIT", both.getFirst());
    }

    private Named closed() throws IOException {
        List<SocketChannel> both = pair();
        both.getFirst().shutdownOutput();
        both.getLast().close();
        return named("in TIME_WAIT", both.getFirst());
    }

    private Named lastAck() throws IOException {
        List<SocketChannel> both = pair();
        both.getLast().shutdownOutput();
        both.getFirst().shutdownOutput();
        return named("after LAST_ACK", both.getFirst());
    }

    private Named reset() throws IOException {
        List<SocketChannel> both = pair();
        both.getLast().setOption(StandardSocketOptions.SO_LINGER, 0).close();
        return named("that was reset", both.getFirst());
    }

    private Named urgent() throws IOException {
        List<SocketChannel> both = pair();
        UrgentByte.send(fd(both.getLast()), 1);
        return named("with urgent data", both.getFirst());
    }

    private Named lingering() throws IOException {
        SocketChannel one = filled();
        // Whether the other process or this one closes it last, the close waits.
        one.setOption(StandardSocketOptions.SO_LINGER, 1);
        return named("that lingers", one);
    }

    private Named sixth() throws IOException {
        return named(
                "of IPv6", keep(ServerSocketChannel.open()).bind(new InetSocketAddress(Literals.address("::1"), 0)));
    }

    @Override
    public void close() throws IOException {
        for (Channel each : open) {
            each.close();
        }
        listener.close();
        full.close();
    }
}
