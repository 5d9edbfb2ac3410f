// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.Errno;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/** A socket of a {@link RawClient}. */
final class RawSocket implements AutoCloseable {
    static final int RING = 64 << 10;

    private static final long PATIENCE_MS = 30_000;

    final RawClient client;
    final int sid;
    final int generation;
    InetSocketAddress local;
    InetSocketAddress peer;
    MemorySegment sendRing;
    MemorySegment receiveRing;
    private final long[] endOfSend = new long[ControlMessage.MAX_OUTSTANDING_SENDS];
    private long sends;
    private long sendsReclaimed;
    private long written;
    private long reclaimed;
    private long consumed;
    private long servedWanted = -1;

    RawSocket(RawClient client, int sid) {
        this.client = client;
        this.sid = sid;
        this.generation = (int) (client.driverWord(sid, DriverPageDescriptor.STATE_OFFSET) >>> 32);
        for (int offset = 0; offset < LibPageDescriptor.SLOT_LENGTH; offset += Long.BYTES) {
            client.libWord(sid, offset, 0);
        }
    }

    void bind(InetSocketAddress address) throws IOException {
        client.request(ControlMessage.BIND).socketId(sid).localAddress(address);
        local = client.call().localAddress();
    }

    void listen(int backlog, int ringSize) throws IOException {
        client.request(ControlMessage.LISTEN).socketId(sid).value(backlog).receiveRingSize(ringSize);
        local = client.call().localAddress();
    }

    RawSocket connect(InetSocketAddress address) throws IOException {
        return connect(address, RING, RING);
    }

    RawSocket connect(InetSocketAddress address, int sendSize, int receiveSize) throws IOException {
        return connect(address, sendSize, receiveSize, 0);
    }

    /** Connects by rings of which at most {@code start} bytes are used at first; 0 for rings that do not grow. */
    RawSocket connect(InetSocketAddress address, int sendSize, int receiveSize, int start) throws IOException {
        return connect(address, sendSize, receiveSize, start, 0);
    }

    /** Goes on with a connection of the kernel's, by the number that the driver has given it. */
    RawSocket connectBy(long ticket, InetSocketAddress address, int size) throws IOException {
        return connect(address, size, size, 0, ticket);
    }

    private RawSocket connect(InetSocketAddress address, int sendSize, int receiveSize, int start, long ticket)
            throws IOException {
        int region = client.addRegion(sendSize);
        client.request(ControlMessage.CONNECT)
                .socketId(sid)
                .peerAddress(address)
                .sendRing(region, 0, sendSize)
                .receiveRingSize(receiveSize)
                .ringStart(start)
                .argument(ticket);
        connected(region);
        return this;
    }

    /** Accepts a waiting connection; EAGAIN if there is none. */
    RawSocket accept() throws IOException {
        return accept(RING);
    }

    RawSocket accept(int sendSize) throws IOException {
        int region = client.addRegion(sendSize);
        client.request(ControlMessage.ACCEPT).socketId(sid).sendRing(region, 0, sendSize);
        RawSocket accepted;
        try {
            accepted = new RawSocket(client, client.call().socketId());
        } catch (RawException e) {
            client.removeRegion(region);
            throw e;
        }
        accepted.adopt(region, client.control.message);
        accepted.post(CommandType.OPENED, 0, 0, 0);
        return accepted;
    }

    private void connected(int region) throws IOException {
        try {
            adopt(region, client.call());
        } catch (RawException e) {
            client.removeRegion(region);
            throw e;
        }
    }

    private void adopt(int region, ControlMessage answer) throws IOException {
        sendRing = client.sendRegions.get(region).memory();
        local = answer.localAddress();
        peer = answer.peerAddress();
        receiveRing = client.receiveRing(answer);
    }

    void post(int type, long source, int length, int tableId) throws IOException {
        client.post(type, sid, generation, source, length, tableId);
    }

    /** Copies as many bytes as fit into the send ring and posts them; returns their number. */
    int write(byte[] bytes, int from, int length) throws IOException {
        check();
        // A hostile process also posts sends without this class, which complete as well.
        long completed = Math.min(client.driverWord(sid, DriverPageDescriptor.SENDS_COMPLETED_OFFSET), sends);
        while (sendsReclaimed < completed) {
            reclaimed = endOfSend[(int) (++sendsReclaimed % endOfSend.length)];
        }
        int size = (int) sendRing.byteSize();
        int offset = (int) written & size - 1;
        int piece = Math.min(Math.min(length, size - offset), size - (int) (written - reclaimed));
        if (piece == 0 || sends - sendsReclaimed == ControlMessage.MAX_OUTSTANDING_SENDS) {
            return 0;
        }
        MemorySegment.copy(bytes, from, sendRing, ValueLayout.JAVA_BYTE, offset, piece);
        written += piece;
        endOfSend[(int) (++sends % endOfSend.length)] = written;
        post(CommandType.SEND, offset, piece, 0);
        return piece;
    }

    /** Copies out the received data; returns 0 if there are none, -1 at the end. */
    int read(byte[] into) throws IOException {
        long state = state();
        int length = available();
        if (length == 0) {
            // All data that arrived before the state changed are available now.
            length = available();
            if (length == 0 && (state & DriverPageDescriptor.STATE_END_OF_FILE) != 0) {
                return -1;
            }
            if (length == 0) {
                check();
                return 0;
            }
        }
        int size = (int) receiveRing.byteSize();
        int offset = (int) consumed & size - 1;
        int piece = Math.min(Math.min(length, into.length), size - offset);
        MemorySegment.copy(receiveRing, ValueLayout.JAVA_BYTE, offset, into, 0, piece);
        consume(piece);
        return piece;
    }

    /** Releases the oldest bytes. */
    void consume(int length) throws IOException {
        consumed += length;
        client.libWord(sid, LibPageDescriptor.CONSUMED_OFFSET, consumed);
        long wanted = client.driverWord(sid, DriverPageDescriptor.SPACE_WANTED_OFFSET);
        if (consumed >= wanted && wanted != servedWanted) {
            servedWanted = wanted;
            post(CommandType.RECV_DONE, 0, 0, 0);
        }
    }

    int available() {
        return (int) (client.driverWord(sid, DriverPageDescriptor.PRODUCED_OFFSET) - consumed);
    }

    long state() {
        return client.driverWord(sid, DriverPageDescriptor.STATE_OFFSET);
    }

    boolean isReset() {
        return (state() & DriverPageDescriptor.STATE_RESET) != 0;
    }

    boolean isReleased() {
        long state = state();
        return (state & DriverPageDescriptor.STATE_CLOSED) != 0 || (int) (state >>> 32) != generation;
    }

    private void check() throws RawException {
        if (isReset()) {
            int errno = (int) client.driverWord(sid, DriverPageDescriptor.ERROR_OFFSET);
            throw new RawException(errno, Errno.text(errno));
        }
    }

    /** Sleeps until there are data to read, or the state has changed. Returns false after the timeout. */
    boolean awaitReadable(long timeoutMs) throws IOException {
        long deadline = System.nanoTime() + timeoutMs * 1_000_000;
        client.doorbell();
        while (true) {
            // Report the released space: a sender that waits for more must learn that no more will be released.
            if (client.driverWord(sid, DriverPageDescriptor.SPACE_WANTED_OFFSET) != Long.MAX_VALUE) {
                post(CommandType.RECV_DONE, 0, 0, 0);
            }
            client.libWord(sid, LibPageDescriptor.READ_ARM_OFFSET, client.armWord(ArmWord.IN));
            boolean ready = available() > 0
                    || (state() & (DriverPageDescriptor.STATE_END_OF_FILE | DriverPageDescriptor.STATE_RESET)) != 0
                    || client.driverWord(sid, DriverPageDescriptor.BACKLOG_OFFSET) > 0;
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (ready || left <= 0) {
                client.libWord(sid, LibPageDescriptor.READ_ARM_OFFSET, ArmWord.DISARMED);
                return ready;
            }
            client.awaitDoorbell(left);
        }
    }

    /** Sleeps until another send is completed, or the state has changed. Returns false after the timeout. */
    boolean awaitWritable(long timeoutMs) throws IOException {
        long deadline = System.nanoTime() + timeoutMs * 1_000_000;
        while (true) {
            client.libWord(sid, LibPageDescriptor.WRITE_WANTED_OFFSET, sendsReclaimed + 1);
            client.libWord(sid, LibPageDescriptor.WRITE_ARM_OFFSET, client.armWord(ArmWord.OUT));
            boolean ready = client.driverWord(sid, DriverPageDescriptor.SENDS_COMPLETED_OFFSET) > sendsReclaimed
                    || isReset()
                    || sends == sendsReclaimed;
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (ready || left <= 0) {
                client.libWord(sid, LibPageDescriptor.WRITE_ARM_OFFSET, ArmWord.DISARMED);
                return ready;
            }
            client.awaitDoorbell(left);
        }
    }

    /** Writes all bytes, and sleeps while there is no room. */
    void writeFully(byte[] bytes) throws IOException {
        int done = 0;
        while (done < bytes.length) {
            int piece = write(bytes, done, bytes.length - done);
            if (piece == 0 && !awaitWritable(PATIENCE_MS)) {
                throw new IOException("no send was completed for " + PATIENCE_MS + " ms");
            }
            done += piece;
        }
    }

    /** Reads {@code length} bytes, or up to the end. */
    byte[] readFully(int length) throws IOException {
        byte[] all = new byte[length];
        byte[] some = new byte[RING];
        int done = 0;
        while (done < length) {
            int piece = read(length - done < some.length ? new byte[length - done] : some, all, done);
            if (piece < 0) {
                return java.util.Arrays.copyOf(all, done);
            }
            if (piece == 0 && !awaitReadable(PATIENCE_MS)) {
                throw new IOException("nothing was received for " + PATIENCE_MS + " ms");
            }
            done += piece;
        }
        return all;
    }

    private int read(byte[] some, byte[] all, int at) throws IOException {
        int piece = read(some);
        if (piece > 0) {
            System.arraycopy(some, 0, all, at, piece);
        }
        return piece;
    }

    void shutdown() throws IOException {
        post(CommandType.SHUTDOWN, 0, 0, 0);
    }

    void abort() throws IOException {
        post(CommandType.CLOSE, 0, 0, 1);
    }

    @Override
    public void close() throws IOException {
        post(CommandType.CLOSE, 0, 0, 0);
    }

    @Override
    public String toString() {
        return "socket " + sid + " of client " + client.cid;
    }
}
