// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** One message of a link's Unix socket, see {@link LinkMessageDescriptor}. Used by one thread at a time. */
public final class LinkMessage {
    /** The result of {@link #receive} when no message has come yet. */
    public static final int NOTHING_YET = UnixSocket.WOULD_BLOCK;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final MemorySegment memory = Arena.ofAuto().allocate(LinkMessageDescriptor.LENGTH, Long.BYTES);
    private final ReceivedFds fds = new ReceivedFds(this::dispose);
    private DescriptorCloser closer;

    /**
     * Creates a message. Descriptors that no thread takes are closed by threads that may block.
     *
     * @param closer closes the descriptors that the peer sends
     */
    public LinkMessage(DescriptorCloser closer) {
        this.closer = closer;
    }

    /**
     * Sets the closer for the messages of another process.
     *
     * @param next closes the descriptors that that process sends
     */
    public void closer(DescriptorCloser next) {
        closer = next;
    }

    private void dispose(Fd unwanted) {
        closer.close(unwanted);
    }

    /**
     * Sends a message of this version.
     *
     * @param socket of the link
     * @param type of the message
     * @param number its meaning depends on the type
     * @param size its meaning depends on the type
     * @param descriptors sent along
     * @return false if the socket has no room for it now
     * @throws LinuxException if the peer is gone
     */
    public boolean send(UnixSocket socket, int type, int number, long size, Fd... descriptors) throws LinuxException {
        memory.set(LONG, LinkMessageDescriptor.MAGIC_OFFSET, LinkMessageDescriptor.MAGIC);
        memory.set(INT, LinkMessageDescriptor.VERSION_OFFSET, LinkMessageDescriptor.VERSION);
        memory.set(INT, LinkMessageDescriptor.TYPE_OFFSET, type);
        memory.set(INT, LinkMessageDescriptor.NUMBER_OFFSET, number);
        memory.set(INT, LinkMessageDescriptor.FEATURES_OFFSET, LinkMessageDescriptor.FEATURES);
        memory.set(LONG, LinkMessageDescriptor.SIZE_OFFSET, size);
        return socket.send(memory, 0, LinkMessageDescriptor.LENGTH, descriptors) != UnixSocket.WOULD_BLOCK;
    }

    /**
     * Receives without waiting.
     *
     * @param socket of the link
     * @return bytes, 0 at the end, or {@link #NOTHING_YET}
     * @throws LinuxException if the socket fails
     */
    public int receive(UnixSocket socket) throws LinuxException {
        return socket.receive(memory, 0, LinkMessageDescriptor.LENGTH, fds, false);
    }

    /**
     * Receives as {@link #receive}, but leaves a message in the socket if this process has no room for its descriptors.
     *
     * @param socket of the link
     * @return as {@link #receive}
     * @throws LinuxException EMFILE if the message was left
     */
    public int receiveWhole(UnixSocket socket) throws LinuxException {
        return socket.receiveWhole(memory, 0, LinkMessageDescriptor.LENGTH, fds);
    }

    /**
     * Whether a message, of any version, was received.
     *
     * @param received in bytes
     * @return whether its first words and its length are right
     */
    public boolean isMessage(int received) {
        return received == LinkMessageDescriptor.LENGTH
                && memory.get(LONG, LinkMessageDescriptor.MAGIC_OFFSET) == LinkMessageDescriptor.MAGIC;
    }

    /**
     * The version of the message.
     *
     * @return unchecked
     */
    public int version() {
        return memory.get(INT, LinkMessageDescriptor.VERSION_OFFSET);
    }

    /**
     * The type of the message.
     *
     * @return unchecked
     */
    public int type() {
        return memory.get(INT, LinkMessageDescriptor.TYPE_OFFSET);
    }

    /**
     * The number in the message.
     *
     * @return unchecked
     */
    public int number() {
        return memory.get(INT, LinkMessageDescriptor.NUMBER_OFFSET);
    }

    /**
     * The size in the message.
     *
     * @return unchecked
     */
    public long size() {
        return memory.get(LONG, LinkMessageDescriptor.SIZE_OFFSET);
    }

    /**
     * How many descriptors came along.
     *
     * @return 0 or more
     */
    public int descriptors() {
        return fds.count();
    }

    /**
     * A descriptor that came along, for the caller to close.
     *
     * @param index 0 or more
     * @return the descriptor, or null if there is none
     */
    public Fd take(int index) {
        return fds.take(index);
    }

    /** Closes the descriptors that no thread took. */
    public void dropDescriptors() {
        fds.closeAll();
    }
}
