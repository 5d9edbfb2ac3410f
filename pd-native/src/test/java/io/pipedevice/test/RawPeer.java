// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.DoorbellMessage;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.AcceptEntry;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.protocol.PeerName;
import io.pipedevice.peer.protocol.SlotSetup;
import io.pipedevice.peer.wait.SlotBell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One side of a link, driven by a test: each step is a method, so that a test can omit it, repeat it, or stop after it.
 * It writes any values into its own memory. Used by one thread.
 */
public final class RawPeer implements AutoCloseable {
    private static final long PATIENCE_MS = 30_000;

    public final UnixSocket socket;
    public final SharedRegion own;
    public final LinkMemory memory;

    /** The other side's memory, after the handshake. */
    public LinkMemory peer;

    /** The bell of this side's dispatcher: its receiving end and its ringing end. */
    public final UnixSocket[] bell;

    /** The other side's bells. */
    public final Map<Integer, UnixSocket> bells = new HashMap<>();

    public final LinkMessage message;

    /** The number of connections that this side has posted or accepted. */
    public long count;

    /** Whether the server answered before the HELLO. */
    public boolean refused;

    private final Disposal disposal = new Disposal();
    private final Map<Integer, SharedRegion> rings = new HashMap<>();
    private SharedRegion peerRegion;
    private int lastRing;

    private RawPeer(UnixSocket socket) throws IOException {
        this.socket = socket;
        message = new LinkMessage(disposal);
        own = SharedRegion.create("pd-link", LinkPages.length(), false);
        LinkPages.allocate(own, 0, LinkMemoryDescriptor.HEADER_LENGTH);
        memory = new LinkMemory(own.memory());
        own.memory().set(ValueLayout.JAVA_LONG, LinkMemoryDescriptor.MAGIC_OFFSET, LinkMemoryDescriptor.MAGIC);
        own.memory().set(ValueLayout.JAVA_INT, LinkMemoryDescriptor.VERSION_OFFSET, LinkMemoryDescriptor.VERSION);
        bell = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
    }

    /** The client's first step. */
    public static RawPeer connect(InetSocketAddress to) throws IOException {
        RawPeer raw = new RawPeer(UnixSocket.connect(UnixSocket.Type.SEQPACKET, PeerName.of(to), PATIENCE_MS));
        try {
            raw.refused = !awaitReady(raw.socket, raw.message);
            return raw;
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    /**
     * Waits until a server permits descriptors. Returns false if it sends another message, which is then in
     * {@code message}.
     */
    public static boolean awaitReady(UnixSocket client, LinkMessage message) throws IOException {
        if (!canRefuseDescriptors()) {
            return true;
        }
        if (!await(client)) {
            throw new IOException("nothing came");
        }
        int received = message.receive(client);
        if (!message.isMessage(received)) {
            throw new IOException("a message of " + received + " bytes");
        }
        return message.type() == LinkMessageDescriptor.READY;
    }

    private static boolean canRefuseDescriptors() throws LinuxException {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        try {
            return pair[0].passRights(true);
        } finally {
            pair[0].close();
            pair[1].close();
        }
    }

    /** The server's first step. */
    public static UnixSocket listen(InetSocketAddress at) throws LinuxException {
        return UnixSocket.listen(UnixSocket.Type.SEQPACKET, PeerName.of(at), 64);
    }

    /** The server's second step, which waits for a client. */
    public static RawPeer accept(UnixSocket listener) throws IOException {
        return new RawPeer(listener.accept());
    }

    /** Goes through the whole handshake as a client. */
    public static RawPeer meet(InetSocketAddress to) throws IOException {
        RawPeer raw = connect(to);
        try {
            raw.introduce(LinkMessageDescriptor.HELLO);
            raw.expect(LinkMessageDescriptor.WELCOME);
            return raw;
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    /** Goes through the whole handshake as a server. */
    public static RawPeer welcome(UnixSocket listener, int backlog) throws IOException {
        RawPeer raw = accept(listener);
        raw.expect(LinkMessageDescriptor.HELLO);
        raw.listen(backlog);
        raw.introduce(LinkMessageDescriptor.WELCOME);
        return raw;
    }

    /** Goes through the whole handshake as a client of a link that a driver has made; takes the socket over. */
    public static RawPeer introduced(UnixSocket link) throws IOException {
        RawPeer raw = new RawPeer(link);
        try {
            raw.socket.passRights(true);
            raw.greet();
            raw.expect(LinkMessageDescriptor.WELCOME);
            return raw;
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    /** Sends HELLO, if the server permits descriptors already, or when it is READY. */
    private void greet() throws IOException {
        try {
            introduce(LinkMessageDescriptor.HELLO);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EPERM || !awaitReady(socket, message)) {
                throw e;
            }
            introduce(LinkMessageDescriptor.HELLO);
        }
    }

    /** Goes through the whole handshake as the server of a link that a driver has made; takes the socket over. */
    public static RawPeer introducing(UnixSocket link, int backlog) throws IOException {
        RawPeer raw = new RawPeer(link);
        try {
            raw.socket.passRights(true);
            raw.expect(LinkMessageDescriptor.HELLO);
            raw.listen(backlog);
            raw.introduce(LinkMessageDescriptor.WELCOME);
            return raw;
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    /** Announces that this side accepts connections. */
    public void listen(int backlog) {
        memory.setRelease(LinkMemoryDescriptor.BACKLOG_OFFSET, backlog);
        memory.setRelease(LinkMemoryDescriptor.LISTENING_OFFSET, 1);
    }

    /** Sends HELLO or WELCOME. */
    public void introduce(int type) throws LinuxException {
        if (refused) {
            return;
        }
        say(type, 0, own.size(), own.fd(), bell[1].fd());
    }

    /** Sends any message. Returns false if there is no room. */
    public boolean say(int type, int number, long size, Fd... fds) throws LinuxException {
        return message.send(socket, type, number, size, fds);
    }

    /** A ring that was announced to the other side. */
    public SharedRegion ring(int number) {
        return rings.get(number);
    }

    /** Waits for HELLO or WELCOME, and maps the memory that comes with it. */
    public void expect(int type) throws IOException {
        awaitMessage();
        if (message.type() == LinkMessageDescriptor.READY) {
            awaitMessage();
        }
        if (message.type() != type) {
            throw new IOException("expected " + type + ", got " + message.type() + " " + message.number());
        }
        peerRegion = SharedRegion.attach(message.take(0), message.size());
        peer = new LinkMemory(peerRegion.memory());
        bells.put(PeerArmWord.DISPATCHER, UnixSocket.own(UnixSocket.Type.SEQPACKET, message.take(1)));
    }

    /** Waits for a message of any kind. */
    public void awaitMessage() throws IOException {
        if (refused) {
            return;
        }
        if (!await(socket)) {
            throw new IOException("nothing came");
        }
        int received = message.receive(socket);
        if (!message.isMessage(received)) {
            throw new IOException("a message of " + received + " bytes");
        }
    }

    private static boolean await(UnixSocket readable) throws LinuxException {
        Poll poll = new Poll(1);
        poll.add(readable.fd(), Poll.IN);
        return poll.await(PATIENCE_MS) > 0;
    }

    /** Takes the other side's messages, with its bells. Returns false if it has ended the link. */
    public boolean receiveMessages() throws LinuxException {
        while (true) {
            int received = message.receive(socket);
            if (received == LinkMessage.NOTHING_YET) {
                return true;
            }
            if (received == 0) {
                return false;
            }
            if (message.type() == LinkMessageDescriptor.BELL && message.descriptors() == 1) {
                UnixSocket before =
                        bells.put(message.number(), UnixSocket.own(UnixSocket.Type.SEQPACKET, message.take(0)));
                if (before != null) {
                    before.close();
                }
            }
            message.dropDescriptors();
        }
    }

    /** Waits until the other side ends the link. */
    public void awaitEnd() throws LinuxException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        Poll poll = new Poll(1);
        poll.add(socket.fd(), Poll.IN);
        while (System.nanoTime() < deadline && poll.await(PATIENCE_MS) > 0) {
            try {
                if (!receiveMessages()) {
                    return;
                }
            } catch (LinuxException e) {
                if (e.errno() == Errno.ECONNRESET) {
                    // The other side closed with unread messages.
                    return;
                }
                throw e;
            }
        }
        throw new AssertionError("the link does not end");
    }

    /** Writes a word of one of this side's slots. */
    public void word(int slot, int word, long value) {
        memory.setRelease(LinkMemoryDescriptor.slot(slot) + word, value);
    }

    public long peerWord(int slot, int word) {
        return peer.getAcquire(LinkMemoryDescriptor.slot(slot) + word);
    }

    /** Sets a slot up. */
    public void open(int slot, int generation) {
        allocate(slot);
        SlotSetup.open(memory, slot, generation);
    }

    /** Gives a slot its pages. */
    public void allocate(int slot) {
        try {
            new LinkPages(own, own).connection(slot);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void state(int slot, int generation, int flags) {
        word(slot, LinkMemoryDescriptor.STATE_OFFSET, LinkMemoryDescriptor.state(generation, flags));
    }

    /** Writes the entry of a client's connect, which is not posted yet. */
    public void entry(int slot, int generation, InetSocketAddress from, InetSocketAddress to) {
        new AcceptEntry(slot, generation, from, to).write(memory, count);
    }

    /** Posts the next entry, or accepts it. */
    public void next(int offset) {
        memory.setRelease(offset, ++count);
        VarHandle.fullFence();
    }

    /** Connects as a client does. */
    public void connect(int slot, int generation, InetSocketAddress from, InetSocketAddress to) throws LinuxException {
        open(slot, generation);
        entry(slot, generation, from, to);
        next(LinkMemoryDescriptor.POSTED_OFFSET);
        ring(peer.getAcquire(LinkMemoryDescriptor.ACCEPT_ARM_OFFSET));
    }

    /** The next entry that the client has posted; null if there is none. */
    public AcceptEntry posted() {
        return peer.getAcquire(LinkMemoryDescriptor.POSTED_OFFSET) == count ? null : AcceptEntry.read(peer, count);
    }

    /** Accepts as a server does; null if no connection waits. */
    public AcceptEntry accept() {
        AcceptEntry entry = posted();
        if (entry != null) {
            open(entry.slot(), entry.generation());
            next(LinkMemoryDescriptor.ACCEPTED_OFFSET);
        }
        return entry;
    }

    /** Publishes the count of bytes written to the stream, and rings. */
    public void tail(int slot, long tail) throws LinuxException {
        word(slot, LinkMemoryDescriptor.TAIL_OFFSET, tail);
        VarHandle.fullFence();
        ringFor(slot, LinkMemoryDescriptor.READ_ARM_OFFSET, LinkMemoryDescriptor.READER_RUNG_OFFSET);
    }

    /** Publishes a state of the connection, and rings. */
    public void sayState(int slot, int generation, int flags) throws LinuxException {
        state(slot, generation, flags);
        VarHandle.fullFence();
        ringFor(slot, LinkMemoryDescriptor.READ_ARM_OFFSET, LinkMemoryDescriptor.READER_RUNG_OFFSET);
        ringFor(slot, LinkMemoryDescriptor.WRITE_ARM_OFFSET, LinkMemoryDescriptor.WRITER_RUNG_OFFSET);
    }

    /** Rings for one direction of a connection, if a thread of the peer sleeps. */
    private void ringFor(int slot, int arm, int rung) throws LinuxException {
        long word = peerWord(slot, arm);
        if (word != PeerArmWord.DISARMED && PeerArmWord.isInSlot(word)) {
            SlotBell.ring(memory, LinkMemoryDescriptor.slot(slot) + rung);
        } else {
            ring(word);
        }
    }

    /** Rings the bell that an arm word names, if it is armed. */
    public void ring(long word) throws LinuxException {
        if (word == PeerArmWord.DISARMED) {
            return;
        }
        receiveMessages();
        UnixSocket rung = bells.get(PeerArmWord.bell(word));
        if (rung != null) {
            DoorbellMessage.send(rung.fd(), PeerArmWord.cookie(word));
        }
    }

    /** Announces a larger ring, and returns its number. */
    public int announceRing(long size) throws IOException {
        SharedRegion ring = SharedRegion.create("pd-ring", size, false);
        ring.allocate(0, size);
        rings.put(++lastRing, ring);
        if (!say(LinkMessageDescriptor.RING, lastRing, size, ring.fd())) {
            throw new IOException("no room");
        }
        ring.closeDescriptor();
        return lastRing;
    }

    @Override
    public void close() {
        if (peerRegion != null) {
            peerRegion.close();
        }
        rings.values().forEach(SharedRegion::close);
        bells.values().forEach(UnixSocket::close);
        message.dropDescriptors();
        bell[0].close();
        bell[1].close();
        own.close();
        socket.close();
        disposal.close();
    }
}
