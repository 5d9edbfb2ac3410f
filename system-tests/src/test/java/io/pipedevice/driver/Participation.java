// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.Fd;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import io.pipedevice.protocol.PermitPageDescriptor;
import io.pipedevice.protocol.PermitWord;
import io.pipedevice.test.FrameMutator.Frame;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;

/**
 * A process that takes part in a driver's introductions by messages that a test makes, without a broker. Methods that
 * return a message do not send it. Used by one thread.
 */
public final class Participation implements AutoCloseable {
    private final RawControl control;
    private final SharedRegion permits;

    /** The descriptors that came with the driver's messages of its own accord, and were not taken. */
    private final ArrayDeque<Fd> newcomers = new ArrayDeque<>();

    private Fd linked;

    private Participation(RawControl control, SharedRegion permits) {
        this.control = control;
        this.permits = permits;
    }

    /** Opens a control connection, on which nothing was sent. */
    public static Participation open(Path directory) throws IOException {
        SharedRegion permits = SharedRegion.create("pd-permits", PermitPageDescriptor.length(), false);
        try {
            permits.allocate(0, permits.size());
            MemorySegment memory = permits.memory();
            memory.set(ValueLayout.JAVA_LONG, PermitPageDescriptor.MAGIC_OFFSET, PermitPageDescriptor.MAGIC);
            memory.set(ValueLayout.JAVA_LONG, PermitPageDescriptor.VERSION_OFFSET, PermitPageDescriptor.VERSION);
            return new Participation(
                    new RawControl(TestDriver.endpoint(directory).connect()), permits);
        } catch (IOException | RuntimeException e) {
            permits.close();
            throw e;
        }
    }

    /** Joins, and passes the memory of permits. */
    public static Participation join(Path directory) throws IOException {
        Participation joined = open(directory);
        try {
            joined.send(joined.join());
            if (!joined.await(IntroductionMessage.JOIN, joined.request(), 30_000)
                    || joined.answer().status() != 0) {
                throw new IOException("not joined");
            }
            joined.send(joined.permits());
            return joined;
        } catch (IOException | RuntimeException e) {
            joined.close();
            throw e;
        }
    }

    /** Sends a message as it is. */
    public void send(Frame message) throws IOException {
        message.send(control.socket);
    }

    /** The number of the last message that was made. */
    public int request() {
        return control.message.requestId();
    }

    /** The last message that was received, until the next one is made. */
    public ControlMessage answer() {
        return control.message;
    }

    /** The memory of the permits. */
    public MemorySegment permitMemory() {
        return permits.memory();
    }

    /** Whether the driver has ended the connection. */
    public boolean isOver() throws IOException {
        return control.awaitEnd(0);
    }

    /**
     * Waits for an answer, and takes what comes before it.
     *
     * @return false if it does not come in time
     */
    public boolean await(int type, int request, long millis) throws IOException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (true) {
            long left = Math.max(0, (deadline - System.nanoTime()) / 1_000_000);
            if (!control.isReadable(left)) {
                return false;
            }
            ControlMessage message = control.receive();
            Fd came = control.fds.count() > 0 ? control.fds.take(0) : null;
            control.fds.closeAll();
            if (message.type() == IntroductionMessage.NEWCOMER || message.type() == IntroductionMessage.NEIGHBOUR) {
                // Without a descriptor if this process had no room for one.
                if (came != null) {
                    newcomers.add(came);
                    came = null;
                }
            }
            if (message.type() == type && (message.requestId() == request || request == 0)) {
                if (linked != null) {
                    linked.close();
                }
                linked = came;
                return true;
            }
            if (came != null) {
                came.close();
            }
        }
    }

    /** The descriptor that came with the last answer, for the caller to close; null if none came. */
    public Fd takeLinked() {
        Fd taken = linked;
        linked = null;
        return taken;
    }

    /** The other end of a link, for the caller to close; null if none has come. */
    public Fd takeNewcomer() {
        return newcomers.poll();
    }

    private static Frame frame(String what, ControlMessage message, Fd... along) {
        return Frame.of(what, message.memory(), along);
    }

    public Frame join() {
        return frame("JOIN", control.request(IntroductionMessage.JOIN));
    }

    public Frame permits() {
        return permits(permits.fd());
    }

    public Frame permits(Fd memory) {
        return frame("PERMITS", control.request(IntroductionMessage.PERMITS).argument(permits.size()), memory);
    }

    public Frame listens(int number, InetSocketAddress at, Fd... diag) {
        return frame(
                "LISTENS",
                control.request(IntroductionMessage.LISTENS)
                        .socketId(number)
                        .value(1)
                        .localAddress(at),
                diag);
    }

    public Frame listensNoMore(int number) {
        return frame(
                "LISTENS no more", control.request(IntroductionMessage.LISTENS).socketId(number));
    }

    public Frame serves(int number, int descriptor, long inode) {
        return frame(
                "SERVES",
                control.request(IntroductionMessage.SERVES)
                        .socketId(number)
                        .value(descriptor)
                        .argument(inode));
    }

    public Frame offers(int number, int attachment, int socket) {
        return frame(
                "OFFERS",
                control.request(IntroductionMessage.OFFERS)
                        .socketId(number)
                        .value(attachment)
                        .argument(socket));
    }

    public Frame intend(int port) {
        return frame("INTEND", control.request(IntroductionMessage.INTEND).value(port));
    }

    /** Permits the driver to read the socket of the question, and asks. */
    public Frame connected(int intent, int slot, InetSocketAddress local, InetSocketAddress to, Fd socket) {
        PermitWord.grant(permits.memory(), slot, intent);
        ControlMessage message = control.message
                .request(IntroductionMessage.CONNECTED, intent)
                .localAddress(local)
                .peerAddress(to)
                .argument(slot);
        return frame("CONNECTED", message, socket);
    }

    /** Permits the driver to read the socket of the question, and asks. */
    public Frame accepted(int listener, int slot, int port, Fd socket) {
        ControlMessage message = control.request(IntroductionMessage.ACCEPTED)
                .socketId(listener)
                .value(port)
                .argument(slot);
        PermitWord.grant(permits.memory(), slot, message.requestId());
        return frame("ACCEPTED", message, socket);
    }

    /** Takes a permit back. */
    public void withdrawPermit(int slot) {
        PermitWord.withdraw(permits.memory(), slot);
    }

    public Frame withdraw(int request) {
        return frame("WITHDRAW", control.message.request(IntroductionMessage.WITHDRAW, request));
    }

    public Frame made(int intent) {
        return frame("MADE", control.message.request(IntroductionMessage.MADE, intent));
    }

    public Frame find(long inode, InetSocketAddress to) {
        return frame(
                "FIND",
                control.request(IntroductionMessage.FIND).argument(inode).localAddress(to));
    }

    /** Asks for a link with a process, by LINK or LINK_NEIGHBOUR. */
    public Frame link(int type, int process, long startTime, int listener) {
        return frame(
                type == IntroductionMessage.LINK ? "LINK" : "LINK_NEIGHBOUR",
                control.request(type).value(process).argument(startTime).socketId(listener));
    }

    public Frame shows(Fd memory, long peer) {
        return frame(
                "SHOWS", control.request(IntroductionMessage.SHOWS).value(1).argument(peer), memory);
    }

    public Frame hides(long memory) {
        return frame("HIDES", control.request(IntroductionMessage.HIDES).argument(memory));
    }

    @Override
    public void close() {
        if (linked != null) {
            linked.close();
        }
        newcomers.forEach(Fd::close);
        control.close();
        permits.close();
    }
}
