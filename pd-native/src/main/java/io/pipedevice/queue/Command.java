// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.queue;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * One command of Figure 6 in private memory: the content of a queue entry that was read, or that is about to be
 * written. Layout: {@link CommandDescriptor}.
 *
 * <p>Reading copies each word of the entry exactly once. So a field cannot have two values, even if the other process
 * changes its memory meanwhile. Reused by its owner, so that no command allocates; not thread safe.
 */
public final class Command {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private long word0;
    private long word1;
    private long word2;
    private long word3;

    /** Creates an empty command. */
    public Command() {}

    /**
     * Sets all fields.
     *
     * @param type one of {@link CommandType}, 0 to 255
     * @param source source address, in the address space that the queue's owner defines
     * @param destination destination address
     * @param length in bytes, 0 to 2<sup>31</sup>-1
     * @param containerId 0 to 65535
     * @param connectionId connection or socket id, 0 to 65535
     * @param tableId 0 to 255
     * @param entrySequence index of the buffer table's entry, 0 to 65535
     * @param tag the status of a completion, else 0
     * @return this
     */
    public Command set(
            int type,
            long source,
            long destination,
            int length,
            int containerId,
            int connectionId,
            int tableId,
            int entrySequence,
            int tag) {
        word0 = CommandDescriptor.word0(type, source);
        word1 = CommandDescriptor.word1(source, destination);
        word2 = CommandDescriptor.word2(destination, length, containerId, connectionId, tableId);
        word3 = CommandDescriptor.word3(entrySequence, length, tag);
        return this;
    }

    /**
     * Creates commands for a queue.
     *
     * @param length how many
     * @return the commands, each zero
     */
    public static Command[] array(int length) {
        Command[] commands = new Command[length];
        Arrays.setAll(commands, i -> new Command());
        return commands;
    }

    /**
     * Copies all fields of another command.
     *
     * @param other the command to copy
     * @return this
     */
    public Command set(Command other) {
        word0 = other.word0;
        word1 = other.word1;
        word2 = other.word2;
        word3 = other.word3;
        return this;
    }

    /**
     * Turns a command into its completion: the paper's PD Stack writes the same entry back with another type (§3.5).
     *
     * @param status {@link CommandType#STATUS_OK} or an error
     * @return this
     */
    public Command complete(int status) {
        word0 = (word0 & ~0xFFL) | CommandType.COMPLETED;
        word3 = (word3 & 0xFFFFFFFFL) | ((long) status << 32);
        return this;
    }

    /**
     * The request type.
     *
     * @return one of {@link CommandType} if the writer is honest, 0 to 255
     */
    public int type() {
        return CommandDescriptor.type(word0);
    }

    /**
     * The source address.
     *
     * @return any value
     */
    public long source() {
        return CommandDescriptor.source(word0, word1);
    }

    /**
     * The destination address.
     *
     * @return any value
     */
    public long destination() {
        return CommandDescriptor.destination(word1, word2);
    }

    /**
     * The data length.
     *
     * @return in bytes; negative only if a dishonest process wrote it
     */
    public int length() {
        return CommandDescriptor.length(word2, word3);
    }

    /**
     * The container id.
     *
     * @return 0 to 65535
     */
    public int containerId() {
        return CommandDescriptor.containerId(word2);
    }

    /**
     * The connection id, or the socket id in a ring between PD Lib and PD Driver.
     *
     * @return 0 to 65535
     */
    public int connectionId() {
        return CommandDescriptor.connectionId(word2);
    }

    /**
     * The table id.
     *
     * @return 0 to 255
     */
    public int tableId() {
        return CommandDescriptor.tableId(word2);
    }

    /**
     * The entry sequence.
     *
     * @return 0 to 65535
     */
    public int entrySequence() {
        return CommandDescriptor.entrySequence(word3);
    }

    /**
     * The tag: lap stamp or status.
     *
     * @return any value
     */
    public int tag() {
        return CommandDescriptor.tag(word3);
    }

    void read(MemorySegment memory, long offset) {
        word0 = (long) WORD.getOpaque(memory, offset);
        word1 = (long) WORD.getOpaque(memory, offset + 8);
        word2 = (long) WORD.getOpaque(memory, offset + 16);
        word3 = (long) WORD.getOpaque(memory, offset + 24);
    }

    /** Reads the entry if its tag is {@code stamp}, which its producer stores last. */
    boolean readStamped(MemorySegment memory, long offset, int stamp) {
        long last = (long) WORD.getAcquire(memory, offset + 24);
        if (CommandDescriptor.tag(last) != stamp) {
            return false;
        }
        word0 = (long) WORD.getOpaque(memory, offset);
        word1 = (long) WORD.getOpaque(memory, offset + 8);
        word2 = (long) WORD.getOpaque(memory, offset + 16);
        word3 = last;
        return true;
    }

    void write(MemorySegment memory, long offset) {
        WORD.set(memory, offset, word0);
        WORD.set(memory, offset + 8, word1);
        WORD.set(memory, offset + 16, word2);
        WORD.set(memory, offset + 24, word3);
    }

    @Override
    public String toString() {
        return "Command{type=" + type() + ", source=0x" + Long.toHexString(source()) + ", destination=0x"
                + Long.toHexString(destination()) + ", length=" + length() + ", cid=" + containerId() + ", conn="
                + connectionId() + ", table=" + tableId() + ", entry=" + entrySequence() + ", tag=" + tag() + '}';
    }
}
