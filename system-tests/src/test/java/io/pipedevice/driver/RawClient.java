// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.client.ControlEndpoint;
import io.pipedevice.jdk.Foreign;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.protocol.SleepWord;
import io.pipedevice.protocol.StatusPageDescriptor;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import io.pipedevice.queue.EntryRingConsumer;
import io.pipedevice.queue.EntryRingProducer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * An attachment to a driver that implements the protocol directly, with messages, pages and rings, without PD Lib. Its
 * methods are honest; a hostile test uses the fields. One thread.
 */
final class RawClient implements AutoCloseable {
    static final int DEPTH = 1024;
    static final int MAX_SOCKETS = 64;

    /** Fewer than a socket holds. */
    private static final int AT_ONCE = 32;

    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    final RawControl control;
    final int cid;
    final int depth;
    final int maxSockets;
    final SharedRegion libPage;
    final SharedRegion driverPage;
    final SharedRegion statusPage;
    final Map<Integer, SharedRegion> sendRegions = new HashMap<>();
    final Map<Integer, SharedRegion> receiveRegions = new HashMap<>();
    final EntryRingProducer requests;
    final EntryRingConsumer events;
    private final Command event = new Command();
    private UnixSocket doorbell;
    private int doorbellNumber;
    private int nextRegion;
    private int arms;
    private long lastRung;

    private RawClient(
            RawControl control,
            int cid,
            int depth,
            int maxSockets,
            SharedRegion libPage,
            SharedRegion driverPage,
            SharedRegion statusPage) {
        this.control = control;
        this.cid = cid;
        this.depth = depth;
        this.maxSockets = maxSockets;
        this.libPage = libPage;
        this.driverPage = driverPage;
        this.statusPage = statusPage;
        this.requests = new EntryRingProducer(
                libPage.memory().asSlice(LibPageDescriptor.REQUESTS_OFFSET),
                depth,
                driverPage.memory(),
                DriverPageDescriptor.REQUESTS_CONSUMED_OFFSET);
        this.events = new EntryRingConsumer(
                driverPage.memory().asSlice(DriverPageDescriptor.EVENTS_OFFSET),
                DriverPageDescriptor.eventDepth(maxSockets),
                libPage.memory(),
                LibPageDescriptor.EVENTS_CONSUMED_OFFSET);
    }

    static RawClient attach(ControlEndpoint endpoint) throws IOException {
        return attach(endpoint, DEPTH, MAX_SOCKETS);
    }

    static RawClient attach(ControlEndpoint endpoint, int depth, int maxSockets) throws IOException {
        RawControl control = new RawControl(endpoint.connect());
        SharedRegion libPage = null;
        try {
            libPage = libPage(depth, maxSockets);
            control.request(ControlMessage.ATTACH)
                    .value(depth)
                    .socketId(maxSockets)
                    .argument(libPage.size());
            ControlMessage answer = succeed(control.call(libPage.fd()));
            SharedRegion status = SharedRegion.attach(control.fds.take(0), StatusPageDescriptor.length());
            SharedRegion driver = SharedRegion.attach(control.fds.take(1), answer.argument());
            return new RawClient(control, answer.value(), depth, answer.socketId(), libPage, driver, status);
        } catch (IOException | RuntimeException e) {
            control.close();
            if (libPage != null) {
                libPage.close();
            }
            throw e;
        }
    }

    /** The lib page of a process that has not attached yet. */
    static SharedRegion libPage(int depth, int maxSockets) throws IOException {
        SharedRegion page = SharedRegion.create("pd-lib-page", LibPageDescriptor.length(depth, maxSockets), false);
        page.allocate(0, page.size());
        page.memory().set(ValueLayout.JAVA_LONG, LibPageDescriptor.VERSION_OFFSET, LibPageDescriptor.VERSION);
        page.memory().set(ValueLayout.JAVA_LONG, LibPageDescriptor.MAGIC_OFFSET, LibPageDescriptor.MAGIC);
        return page;
    }

    /** Returns an answer that must not be a refusal. */
    static ControlMessage succeed(ControlMessage answer) throws RawException {
        if (answer.status() != 0) {
            throw new RawException(answer.status(), answer.text());
        }
        return answer;
    }

    ControlMessage request(int type) {
        return control.request(type);
    }

    /** Sends the request; throws an exception for a refusal. */
    ControlMessage call(Fd... along) throws IOException {
        return succeed(control.call(along));
    }

    /** What a caller makes of an answer. */
    @FunctionalInterface
    interface AnswerHandler {
        void handle(int i, ControlMessage answer) throws IOException;
    }

    /**
     * Sends requests, some before their answers are received: on a busy machine it takes long to wait for each answer.
     *
     * @param count of requests
     * @param prepare writes one of them
     * @param answered handles the answer of each, which is no refusal
     */
    void callAll(int count, IntConsumer prepare, AnswerHandler answered) throws IOException {
        for (int i = 0; i < count; i += AT_ONCE) {
            int end = Math.min(count, i + AT_ONCE);
            for (int j = i; j < end; j++) {
                prepare.accept(j);
                control.post();
            }
            for (int j = i; j < end; j++) {
                answered.handle(j, succeed(control.receive()));
            }
        }
    }

    /** The descriptor that came with the last answer. */
    Fd received() {
        return control.fds.take(0);
    }

    RawSocket socket() throws IOException {
        request(ControlMessage.SOCKET);
        return new RawSocket(this, call().socketId());
    }

    /** Creates a listener on an address. */
    RawSocket listen(InetSocketAddress address, int backlog, int ringSize) throws IOException {
        RawSocket socket = socket();
        socket.bind(address);
        socket.listen(backlog, ringSize);
        return socket;
    }

    /** Adds a region for send rings to the driver; returns its number. */
    int addRegion(long size) throws IOException {
        SharedRegion region = SharedRegion.create("pd-send", size, false);
        try {
            region.allocate(0, region.size());
            int number = nextRegion++;
            request(ControlMessage.ADD_REGION).value(number).argument(region.size());
            call(region.fd());
            sendRegions.put(number, region);
            return number;
        } catch (IOException e) {
            region.close();
            throw e;
        }
    }

    void removeRegion(int number) throws IOException {
        request(ControlMessage.REMOVE_REGION).value(number);
        call();
        sendRegions.remove(number).close();
    }

    /** The receive ring that an answer to connect or accept names. */
    MemorySegment receiveRing(ControlMessage answer) throws IOException {
        drainEvents();
        if (control.fds.count() > 0) {
            SharedRegion region = SharedRegion.attach(control.fds.take(0), answer.receiveRegionSize());
            receiveRegions.put(answer.receiveRegion(), region);
        }
        SharedRegion region = receiveRegions.get(answer.receiveRegion());
        return region.memory().asSlice(answer.receiveRingOffset(), answer.receiveRingSize());
    }

    /** Posts a request in the ring, and wakes the driver if it sleeps. */
    void post(int type, int sid, int generation, long source, int length, int tableId) throws IOException {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (requests.offer(type, source, 0, length, sid, tableId, generation & 0xFFFF)
                != EntryRingProducer.PUBLISHED) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the driver takes no requests");
            }
            Thread.onSpinWait();
        }
        wakeDriver();
    }

    void wakeDriver() {
        long sleep = SleepWord.sleeping(statusPage.memory(), StatusPageDescriptor.SLEEP_OFFSET);
        if (sleep != 0 && sleep != lastRung) {
            lastRung = sleep;
            control.socket.ring();
        }
    }

    /** Takes the events in the ring; returns the number of events about sockets. */
    int drainEvents() {
        int count = 0;
        while (events.poll(event)) {
            if (event.type() == CommandType.REGION_DROPPED) {
                SharedRegion region = receiveRegions.remove((int) event.source());
                if (region != null) {
                    region.close();
                }
            } else {
                count++;
            }
        }
        events.flush();
        return count;
    }

    /** A new arm word for this client's doorbell. */
    long armWord(int interest) throws IOException {
        doorbell();
        return io.pipedevice.protocol.ArmWord.of(++arms, doorbellNumber, interest);
    }

    /** The client's end of its doorbell. */
    UnixSocket doorbell() throws IOException {
        if (doorbell == null) {
            doorbell = addDoorbell();
            doorbellNumber = control.message.value();
        }
        return doorbell;
    }

    UnixSocket addDoorbell() throws IOException {
        request(ControlMessage.ADD_DOORBELL);
        call();
        return receivedDoorbell();
    }

    /** The doorbell that came with the last answer. */
    UnixSocket receivedDoorbell() throws IOException {
        return UnixSocket.own(UnixSocket.Type.SEQPACKET, received());
    }

    /** Sleeps until the doorbell rings. Returns false after the timeout; throws an exception if the driver is gone. */
    boolean awaitDoorbell(long timeoutMs) throws IOException {
        Poll poll = new Poll(2);
        poll.add(doorbell().fd(), Poll.IN);
        poll.add(control.socket.fd(), Poll.RDHUP);
        boolean woken = poll.await(timeoutMs) > 0;
        if (poll.returned(1) != 0 || doorbell.drain() < 0) {
            throw new IOException("the driver is gone");
        }
        return woken;
    }

    long libWord(int sid, int offset) {
        return (long) WORD.getVolatile(libPage.memory(), LibPageDescriptor.slot(depth, sid) + offset);
    }

    void libWord(int sid, int offset, long value) {
        WORD.setVolatile(libPage.memory(), LibPageDescriptor.slot(depth, sid) + offset, value);
    }

    long driverWord(int sid, int offset) {
        return (long) WORD.getVolatile(driverPage.memory(), DriverPageDescriptor.slot(maxSockets, sid) + offset);
    }

    @Override
    public void close() {
        control.close();
        if (doorbell != null) {
            doorbell.close();
        }
        sendRegions.values().forEach(SharedRegion::close);
        receiveRegions.values().forEach(SharedRegion::close);
        libPage.close();
        driverPage.close();
        statusPage.close();
    }
}
