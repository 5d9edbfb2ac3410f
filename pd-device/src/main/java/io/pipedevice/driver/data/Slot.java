// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.jdk.Foreign;
import io.pipedevice.memory.ReceiveBufferTable;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.protocol.RingWord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A socket's words in the two pages of its process. The driver writes its own words and never reads them back. It
 * reads each of the process's words once, and checks the value before it uses it. Belongs to the driver's thread.
 */
final class Slot {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private final MemorySegment own;
    private final long ownOffset;
    private final MemorySegment theirs;
    private final long theirOffset;

    Slot(MemorySegment own, long ownOffset, MemorySegment theirs, long theirOffset) {
        this.own = own;
        this.ownOffset = ownOffset;
        this.theirs = theirs;
        this.theirOffset = theirOffset;
    }

    /** Begins a new generation of the socket id. */
    void open(int generation) {
        publish(DriverPageDescriptor.PRODUCED_OFFSET, 0);
        publish(DriverPageDescriptor.SENDS_COMPLETED_OFFSET, 0);
        publish(DriverPageDescriptor.SPACE_WANTED_OFFSET, Long.MAX_VALUE);
        publish(DriverPageDescriptor.BACKLOG_OFFSET, 0);
        publish(DriverPageDescriptor.ERROR_OFFSET, 0);
        publish(DriverPageDescriptor.RING_OFFSET, 0);
        state(generation, 0);
    }

    void produced(long bytes) {
        publish(DriverPageDescriptor.PRODUCED_OFFSET, bytes);
    }

    void sendsCompleted(long sends) {
        publish(DriverPageDescriptor.SENDS_COMPLETED_OFFSET, sends);
    }

    /** Publishes which part of the receive ring is in use. */
    void ring(ReceiveBufferTable received) {
        publish(DriverPageDescriptor.RING_OFFSET, RingWord.of(received.start(), received.ringSize()));
    }

    void spaceWanted(long consumed) {
        publish(DriverPageDescriptor.SPACE_WANTED_OFFSET, consumed);
    }

    /** Publishes how many connections wait for accept. */
    void backlog(int connections) {
        publish(DriverPageDescriptor.BACKLOG_OFFSET, connections);
    }

    void error(int errno) {
        publish(DriverPageDescriptor.ERROR_OFFSET, errno);
    }

    void state(int generation, long bits) {
        publish(DriverPageDescriptor.STATE_OFFSET, (long) generation << 32 | bits);
    }

    long consumed() {
        return look(LibPageDescriptor.CONSUMED_OFFSET);
    }

    long readArm() {
        return look(LibPageDescriptor.READ_ARM_OFFSET);
    }

    long writeArm() {
        return look(LibPageDescriptor.WRITE_ARM_OFFSET);
    }

    long epollArm() {
        return look(LibPageDescriptor.EPOLL_ARM_OFFSET);
    }

    long writeWanted() {
        return look(LibPageDescriptor.WRITE_WANTED_OFFSET);
    }

    private void publish(int offset, long value) {
        WORD.setRelease(own, ownOffset + offset, value);
    }

    private long look(int offset) {
        return (long) WORD.getAcquire(theirs, theirOffset + offset);
    }
}
