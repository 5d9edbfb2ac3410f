// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** One message of a link's Unix socket, see {@link LinkMessageDescriptor}. Used by one thread at a time. */
final class LinkMessage {
    /** What {@link #receive} says when nothing has come yet. */
    static final int NOTHING_YET = UnixSocket.WOULD_BLOCK;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final MemorySegment memory = Arena.ofAuto().allocate(LinkMessageDescriptor.LENGTH, Long.BYTES);
    private final ReceivedFds fds = new ReceivedFds(this::dispose);
    private DescriptorCloser closer;

    /** A message whose descriptors, if nobody takes them, are closed by threads that may wait. */
    LinkMessage(DescriptorCloser closer) {
        this.closer = closer;
    }

    /** The next message is another process's. */
    void closer(DescriptorCloser next) {
        closer = next;
    }

    private void dispose(Fd unwanted) {
        closer.close(unwanted);
    }

    /** Sends a message of this version. False if there is no room for it now. */
    boolean send(UnixSocket socket, int type, int number, long size, Fd... descriptors) throws LinuxException {
        memory.set(LONG, LinkMessageDescriptor.MAGIC_OFFSET, LinkMessageDescriptor.MAGIC);
        memory.set(INT, LinkMessageDescriptor.VERSION_OFFSET, LinkMessageDescriptor.VERSION);
        memory.set(INT, LinkMessageDescriptor.TYPE_OFFSET, type);
        memory.set(INT, LinkMessageDescriptor.NUMBER_OFFSET, number);
        memory.set(INT, LinkMessageDescriptor.FEATURES_OFFSET, LinkMessageDescriptor.FEATURES);
        memory.set(LONG, LinkMessageDescriptor.SIZE_OFFSET, size);
        return socket.send(memory, 0, LinkMessageDescriptor.LENGTH, descriptors) != UnixSocket.WOULD_BLOCK;
    }

    /** Receives without waiting. Bytes, 0 at the end, or {@link #NOTHING_YET}. */
    int receive(UnixSocket socket) throws LinuxException {
        return socket.receive(memory, 0, LinkMessageDescriptor.LENGTH, fds, false);
    }

    /**
     * Receives as {@link #receive}, but leaves a message where it is while this process may not have its descriptors.
     *
     * @throws LinuxException EMFILE then
     */
    int receiveWhole(UnixSocket socket) throws LinuxException {
        return socket.receiveWhole(memory, 0, LinkMessageDescriptor.LENGTH, fds);
    }

    /** Whether what was received, in so many bytes, is a message of some version. */
    boolean isMessage(int received) {
        return received == LinkMessageDescriptor.LENGTH
                && memory.get(LONG, LinkMessageDescriptor.MAGIC_OFFSET) == LinkMessageDescriptor.MAGIC;
    }

    int version() {
        return memory.get(INT, LinkMessageDescriptor.VERSION_OFFSET);
    }

    int type() {
        return memory.get(INT, LinkMessageDescriptor.TYPE_OFFSET);
    }

    int number() {
        return memory.get(INT, LinkMessageDescriptor.NUMBER_OFFSET);
    }

    long size() {
        return memory.get(LONG, LinkMessageDescriptor.SIZE_OFFSET);
    }

    int descriptors() {
        return fds.count();
    }

    /** A descriptor that came along, for the caller to close. */
    Fd take(int index) {
        return fds.take(index);
    }

    /** Lets go of the descriptors that nobody took. */
    void dropDescriptors() {
        fds.closeAll();
    }
}
