// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.queue;

/** Padding: keeps the following fields off the cache lines of the preceding object. */
class QueuePositionsLeft {
    long l01, l02, l03, l04, l05, l06, l07, l08, l09, l10, l11, l12, l13, l14, l15, l16;
}

/** The private positions of one end of a queue; only that end's thread accesses them. */
class QueuePositionsFields extends QueuePositionsLeft {
    long position;
    long published;
    long otherEnd;
}

/** Positions of one end of a queue, alone on their cache lines, because the other end runs on another core. */
class QueuePositions extends QueuePositionsFields {
    long r01, r02, r03, r04, r05, r06, r07, r08, r09, r10, r11, r12, r13, r14, r15, r16;
}
