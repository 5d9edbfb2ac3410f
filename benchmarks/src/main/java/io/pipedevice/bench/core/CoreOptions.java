// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import io.pipedevice.driver.Threading;
import io.pipedevice.memory.RingBuffer;
import java.util.List;

/**
 * The subject and the duration of the measurements.
 *
 * @param subjects in turn in each run
 * @param sizes of messages, in bytes, multiples of 8
 * @param phases at each size
 * @param connections of each stream; round trips have one
 * @param runs of each subject, each with new processes
 * @param warmUpMillis before each measurement
 * @param measureMillis of each measurement
 * @param ring size of PipeDevice's rings in bytes, 0 for {@link #ringFor}'s choice
 * @param threading of the driver
 * @param systemCalls whether strace(1) counts them, in an interval of its own
 */
record CoreOptions(
        List<Subject> subjects,
        List<Integer> sizes,
        List<Phase> phases,
        int connections,
        int runs,
        long warmUpMillis,
        long measureMillis,
        int ring,
        Threading threading,
        boolean systemCalls) {
    /** Largest message, in bytes: the largest ring holds it. */
    static final int MAX_SIZE = RingBuffer.MAX_SIZE;

    /** The default size, or four messages if that is more and there are such rings. */
    int ringFor(int size) {
        int wanted = ring == 0 ? Math.max(RingBuffer.DEFAULT_SIZE, 4 * size) : Math.max(ring, size);
        return RingBuffer.sizeFor(wanted);
    }
}
