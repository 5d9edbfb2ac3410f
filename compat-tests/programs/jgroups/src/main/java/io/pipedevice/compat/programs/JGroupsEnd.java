// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.TP;

/**
 * A channel with the configuration that JGroups brings for java.nio, {@code tcp-nio.xml}, in which only the address and
 * the initial hosts are changed.
 *
 * <p>A round: one member requests all to send; each sends its messages to all, and reports to the first when it has
 * received all of them, complete and in order.
 */
final class JGroupsEnd implements Receiver {
    private static final byte START = 0;
    private static final byte CONTENT = 1;
    private static final byte HEARD = 2;
    private static final int HEADER = 9;
    private static final int SIZES = 10_000;

    private final JChannel channel;
    private final int size;
    private final Semaphore joined = new Semaphore(0);
    private final Semaphore reports = new Semaphore(0);
    private final AtomicReference<AssertionError> failure = new AtomicReference<>();

    /** How many messages of this round came from each member. */
    private final Map<Address, Integer> counts = new ConcurrentHashMap<>();

    /** Guarded by this object's monitor, like the following fields. */
    private int expected;

    private int missing;
    private Address judge;

    JGroupsEnd(Arguments arguments) throws Exception {
        List<InetSocketAddress> hosts = Arrays.stream(arguments.text("members").split(",", -1))
                .map(member -> member.split(":", 2))
                .map(parts -> new InetSocketAddress(parts[0], Integer.parseInt(parts[1])))
                .toList();
        size = hosts.size();
        channel = new JChannel("tcp-nio.xml");
        TP transport = channel.getProtocolStack().getTransport();
        transport.setBindAddress(InetAddress.getLoopbackAddress());
        transport.setBindPort(arguments.number("port"));
        TCPPING discovery = channel.getProtocolStack().findProtocol(TCPPING.class);
        discovery.setInitialHosts(hosts);
        channel.setReceiver(this);
        channel.connect("compat");
    }

    /** Waits until all members have joined. */
    void awaitAll() throws InterruptedException {
        joined.acquire();
    }

    int members() {
        return size;
    }

    /**
     * Makes every member send {@code messages} messages of a length, or of all lengths if that is 0, to all, and waits
     * for them.
     */
    void round(int messages, int length) throws Exception {
        channel.send(new BytesMessage(
                null,
                ByteBuffer.allocate(HEADER)
                        .put(START)
                        .putInt(messages)
                        .putInt(length)
                        .array()));
        reports.acquire(size);
        AssertionError wrong = failure.get();
        if (wrong != null) {
            throw wrong;
        }
    }

    @Override
    public void viewAccepted(View view) {
        if (view.size() == size) {
            joined.release();
        }
    }

    @Override
    public void receive(Message message) {
        ByteBuffer bytes = ByteBuffer.wrap(message.getArray(), message.getOffset(), message.getLength());
        switch (bytes.get()) {
            case START -> start(message.getSrc(), bytes.getInt(), bytes.getInt());
            case CONTENT -> handle(message.getSrc(), bytes.getInt(), bytes);
            default -> heardAll(bytes.get() == 1);
        }
    }

    private void start(Address from, int messages, int length) {
        synchronized (this) {
            judge = from;
            expected = messages;
            missing += size * messages;
        }
        Thread.ofPlatform().daemon().name("sender").start(() -> send(messages, length));
        report();
    }

    private void send(int messages, int length) {
        try {
            for (int i = 0; i < messages; i++) {
                byte[] bytes = new byte[Math.max(HEADER, length == 0 ? i % SIZES : length)];
                ByteBuffer.wrap(bytes).put(CONTENT).putInt(i).putInt(bytes.length);
                Arrays.fill(bytes, HEADER, bytes.length, (byte) i);
                channel.send(new BytesMessage(null, bytes));
            }
        } catch (Exception e) {
            failure.compareAndSet(null, new AssertionError(e));
        }
    }

    /** A member's messages arrive in order. Those of another member may arrive before the start message. */
    private void handle(Address from, int number, ByteBuffer rest) {
        boolean whole = rest.getInt() == rest.remaining() + HEADER;
        while (rest.hasRemaining()) {
            whole &= rest.get() == (byte) number;
        }
        int before = counts.merge(from, 1, Integer::sum) - 1;
        if (!whole || number != before) {
            failure.compareAndSet(null, new AssertionError("message " + number + " instead of " + before));
        }
        synchronized (this) {
            missing--;
        }
        report();
    }

    private void report() {
        Address to;
        synchronized (this) {
            if (missing != 0 || judge == null || counts.values().stream().anyMatch(count -> count != expected)) {
                return;
            }
            to = judge;
            judge = null;
            counts.clear();
        }
        try {
            byte right = (byte) (failure.get() == null ? 1 : 0);
            channel.send(new BytesMessage(to, new byte[] {HEARD, right}));
        } catch (Exception e) {
            failure.compareAndSet(null, new AssertionError(e));
        }
    }

    private void heardAll(boolean right) {
        if (!right) {
            failure.compareAndSet(null, new AssertionError("another member has received something wrong"));
        }
        reports.release();
    }

    void close() {
        channel.close();
    }
}
