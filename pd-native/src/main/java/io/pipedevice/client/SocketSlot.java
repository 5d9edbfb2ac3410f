// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.jdk.Foreign;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A socket's words in the two shared pages. If they live in an arena of the socket's own, after its close every access
 * throws {@link IllegalStateException}, so that a late thread cannot touch the words of the next socket with the same
 * id. The other calls need no further protocol against close, and pay nothing for it.
 */
final class SocketSlot {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private final MemorySegment own;
    private final MemorySegment driver;

    SocketSlot(MemorySegment own, MemorySegment driver) {
        this.own = own;
        this.driver = driver;
    }

    long produced() {
        return (long) WORD.getAcquire(driver, (long) DriverPageDescriptor.PRODUCED_OFFSET);
    }

    long sendsCompleted() {
        return (long) WORD.getAcquire(driver, (long) DriverPageDescriptor.SENDS_COMPLETED_OFFSET);
    }

    long spaceWanted() {
        return (long) WORD.getAcquire(driver, (long) DriverPageDescriptor.SPACE_WANTED_OFFSET);
    }

    /** The part of the receive ring that is in use. */
    long ring() {
        return (long) WORD.getAcquire(driver, (long) DriverPageDescriptor.RING_OFFSET);
    }

    /** State bits and, above them, the generation. */
    long state() {
        return (long) WORD.getAcquire(driver, (long) DriverPageDescriptor.STATE_OFFSET);
    }

    long backlog() {
        return (long) WORD.getAcquire(driver, (long) DriverPageDescriptor.BACKLOG_OFFSET);
    }

    int error() {
        return (int) (long) WORD.getAcquire(driver, (long) DriverPageDescriptor.ERROR_OFFSET);
    }

    void consumed(long bytes) {
        WORD.setRelease(own, (long) LibPageDescriptor.CONSUMED_OFFSET, bytes);
    }

    /** Stores one of the arm words; a thread that arms fences and looks again before it sleeps. */
    void arm(int offset, long word) {
        WORD.setRelease(own, (long) offset, word);
    }

    void writeWanted(long sends) {
        WORD.setRelease(own, (long) LibPageDescriptor.WRITE_WANTED_OFFSET, sends);
    }
}
