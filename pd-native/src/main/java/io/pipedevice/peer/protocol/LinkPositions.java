// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * How much the owner of a link's memory has sent and received on all connections of the link, as the memory says. Read
 * with copies (pread(2)), so that the reader neither maps the memory nor allocates its pages. In parts, because a
 * memory can have thousands of slots. Used by one thread.
 *
 * <p>Each sum is at most what was sent or received when the last part was read, and at least what was sent or received
 * when the first part was begun, unless a slot was being set up for its next connection just then. That holds for an
 * honest owner; another one may write anything ({@link #isValid}).
 */
public final class LinkPositions {
    /** How many slots one part has. */
    static final int SLOTS_AT_ONCE = 256;

    private static final long HEADER_LENGTH = 512;

    private final MemorySegment first = Arena.ofAuto().allocate(SLOTS_AT_ONCE * LinkMemoryDescriptor.SLOT_LENGTH, 64);
    private final MemorySegment second = Arena.ofAuto().allocate(SLOTS_AT_ONCE * LinkMemoryDescriptor.SLOT_LENGTH, 64);
    private int slots;
    private int next;
    private boolean valid;
    private long connections;
    private long sent;
    private long received;

    /** Creates a reader that has read nothing. */
    public LinkPositions() {}

    /**
     * Reads the header, and so begins.
     *
     * @param memory of one side of a link, checked to be sealed and of the right size
     * @throws LinuxException EBADF after close
     */
    public void begin(Fd memory) throws LinuxException {
        MemorySegment header = first.asSlice(0, HEADER_LENGTH);
        Memory.read(memory, 0, header);
        long used = word(header, LinkMemoryDescriptor.USED_SLOTS_OFFSET);
        valid = used >= 0 && used <= LinkMemoryDescriptor.MAX_CONNECTIONS;
        slots = valid ? (int) used : 0;
        next = 0;
        connections = part(word(header, LinkMemoryDescriptor.CONNECTIONS_OFFSET));
        sent = 0;
        received = 0;
    }

    /**
     * Reads the next part.
     *
     * @param memory as for {@link #begin}
     * @return whether there are more parts
     * @throws LinuxException EBADF after close
     */
    public boolean next(Fd memory) throws LinuxException {
        int count = Math.min(SLOTS_AT_ONCE, slots - next);
        if (count > 0) {
            long offset = LinkMemoryDescriptor.slot(next);
            long length = (long) count * LinkMemoryDescriptor.SLOT_LENGTH;
            Memory.read(memory, offset, first.asSlice(0, length));
            Memory.read(memory, offset, second.asSlice(0, length));
            for (int i = 0; i < count; i++) {
                int slot = i * LinkMemoryDescriptor.SLOT_LENGTH;
                sent = sum(
                        sent, slot + LinkMemoryDescriptor.SENT_BEFORE_OFFSET, slot + LinkMemoryDescriptor.TAIL_OFFSET);
                received = sum(
                        received,
                        slot + LinkMemoryDescriptor.RECEIVED_BEFORE_OFFSET,
                        slot + LinkMemoryDescriptor.HEAD_OFFSET);
            }
            next += count;
        }
        return next < slots;
    }

    /**
     * Adds the bytes of a slot. The owner resets the position first, and then adds it to the sum of the earlier
     * connections: a position that was read after a sum does not overlap with it. A copy does not read in any order,
     * therefore there are two. If the sum has changed between them, the position of the new connection is left out.
     */
    private long sum(long all, int before, int position) {
        long earlier = word(second, before);
        if (earlier != word(first, before)) {
            return plus(all, earlier);
        }
        return plus(plus(all, earlier), Math.min(word(first, position), word(second, position)));
    }

    private long plus(long sum, long more) {
        long result = sum + part(more);
        valid &= result >= 0;
        return result;
    }

    private long part(long word) {
        valid &= word >= 0;
        return Math.max(word, 0);
    }

    private static long word(MemorySegment from, int offset) {
        return from.get(ValueLayout.JAVA_LONG, offset);
    }

    /**
     * Whether the words read so far can be right.
     *
     * @return false if one of them is out of range; the sums then mean nothing
     */
    public boolean isValid() {
        return valid;
    }

    /**
     * How many connections the owner has opened.
     *
     * @return 0 or more
     */
    public long connections() {
        return connections;
    }

    /**
     * How many bytes the owner has sent.
     *
     * @return 0 or more if {@link #isValid}
     */
    public long sent() {
        return sent;
    }

    /**
     * How many bytes the owner has received: those that its program has read.
     *
     * @return 0 or more if {@link #isValid}
     */
    public long received() {
        return received;
    }
}
