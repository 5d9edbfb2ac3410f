// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.peer.protocol.LinkMemoryDescriptor;

/** Estimates how fast the peer reads, whenever the writer finds its ring full. Used by the writing thread. */
final class ReaderSpeed {
    /** A measurement covers at least this many bytes, or this time. */
    private static final int MEASURED_BYTES = 256 << 10;

    private static final long MEASURED_NS = 1_000_000;

    /** The speed above which a reader is fast: it does little besides reading. */
    private static final int FAST_BYTES_PER_NANO = 2;

    /** A fast reader that has not read on after this time is considered busy with something else. */
    private static final long READS_ON_NS = 20_000;

    private final PeerSlot slot;

    /** The beginning of the measurement: its time, and the peer's HEAD. */
    private long sinceNs;

    private long headBefore;

    /** The result of the last measurement. */
    private boolean fast;

    ReaderSpeed(PeerSlot slot) {
        this.slot = slot;
    }

    /** Takes a sample when the ring is full. The head counts all bytes that the peer has read. */
    void measure(long head) {
        long now = System.nanoTime();
        long read = head - headBefore;
        long took = now - sinceNs;
        if (read >= MEASURED_BYTES || took > MEASURED_NS) {
            fast = took < read / FAST_BYTES_PER_NANO;
            sinceNs = now;
            headBefore = head;
        }
    }

    /** Whether the peer, when last measured, read about as fast as memory is copied. */
    boolean isFast() {
        return fast;
    }

    /** Whether the peer was fast, and reads on within a few microseconds now. */
    boolean isFastNow() {
        if (!fast) {
            return false;
        }
        long before = slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET);
        long start = System.nanoTime();
        do {
            Thread.onSpinWait();
            if (slot.peerWord(LinkMemoryDescriptor.HEAD_OFFSET) != before) {
                return true;
            }
        } while (System.nanoTime() - start < READS_ON_NS);
        fast = false;
        return false;
    }
}
