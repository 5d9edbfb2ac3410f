// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What can be read from a stream socket of the JDK at once. The number of its descriptor is all that is needed. */
public final class ReadableSocket {
    private static final int FIONREAD = 0x541B;
    private static final int EVENTS_OFFSET = 4;

    private ReadableSocket() {}

    /**
     * The bytes that have arrived and were not read.
     *
     * @param number of a descriptor; if it was closed meanwhile, the result has no meaning
     * @return 0 or more; 0 also after a reset
     */
    public static int bytes(int number) {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment count = scratch.zeroed();
            return FileCalls.ioctl(number, FIONREAD, count) < 0 ? 0 : count.get(Native.INT, 0);
        }
    }

    /**
     * Whether a read returns at once: there are bytes, or the end of the stream, or an error. Does not wait.
     *
     * @param number of a descriptor; if it was closed meanwhile, the result has no meaning
     * @return true also for a number that is no descriptor, as the read then fails at once
     */
    public static boolean isReady(int number) {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment entry = scratch.zeroed();
            entry.set(Native.INT, 0, number);
            entry.set(ValueLayout.JAVA_SHORT, EVENTS_OFFSET, Poll.IN);
            return WaitCalls.poll(entry, 1, 0) > 0;
        }
    }
}
