// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.peer.protocol.LinkMemoryDescriptor;

/** How fast the peer reads, as far as a writer can see that finds its ring full. Belongs to the writing thread. */
final class ReaderSpeed {
    /** A reader is measured over so many bytes, or over so long. */
    private static final int MEASURED_BYTES = 256 << 10;

    private static final long MEASURED_NS = 1_000_000;

    /** A reader that does little else reads more. */
    private static final int FAST_BYTES_PER_NANO = 2;

    /** A fast reader that has not read on after this time does something else. */
    private static final long READS_ON_NS = 20_000;

    private final PeerSlot slot;

    /** When the ring was full and how much was read by then: the beginning of a measurement. */
    private long sinceNs;

    private long headBefore;

    /** What came of the last one. */
    private boolean fast;

    ReaderSpeed(PeerSlot slot) {
        this.slot = slot;
    }

    /** The ring is full, and the peer has read so many bytes since the beginning. */
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

    /** Whether the peer was seen to read about as fast as memory is copied. */
    boolean isFast() {
        return fast;
    }

    /** Whether the peer was seen to, and does so now: it reads on within a few microseconds. */
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
