// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import java.util.function.BooleanSupplier;

/** The rings of one placement, or of one attachment to a driver, in a {@link WideWait}. Belongs to the waiting thread. */
interface RingPart extends AutoCloseable {
    /** Most sources that one look reports; the others have the next turn. */
    int MOST_EVENTS = 1024;

    /** What the wait's set reports with a part's first descriptor; above all descriptors of the kernel's. */
    static long data(int number) {
        return (long) number << Integer.SIZE;
    }

    /** The number of the part that a descriptor belongs to; 0 for the kernel's. */
    static int numberOf(long data) {
        return (int) (data >>> Integer.SIZE);
    }

    /** By which its descriptors are known, at least 1. */
    int number();

    /** Whether a source belongs here. */
    boolean serves(PdSource source);

    void add(PdSource source, int interest, Object attachment) throws PdException;

    /** Changes what a source is watched for. */
    void modify(PdSource source, int interest);

    /** Takes a source out that may be closed, and so have left by itself. */
    void remove(PdSource source);

    /** Whether nothing can come from here any more. */
    boolean isOver();

    /** Looks in memory, and reports; how many were ready. */
    int look(WideWait.Sink sink) throws PdException;

    /** Whether there may be sources whose news come by the kernel alone. */
    boolean hasQuiet();

    /** Whether the next look is likely to find something. */
    boolean hasNews();

    /** Whether a source was active lately, so that it is worth while to {@link #spin}. */
    boolean wasActive();

    /** Looks for as long as a wake-up costs, here and at something else; whether there was news. */
    boolean spin(BooleanSupplier orElse);

    /** Whether the waiting thread may sleep; what was found instead is reported. */
    boolean beforeSleep(WideWait.Sink sink) throws PdException;

    /** How long the waiting thread may sleep at most after {@link #beforeSleep} has allowed it, in nanoseconds. */
    default long mostSleepNanos() {
        return Long.MAX_VALUE;
    }

    /** Ends what {@link #beforeSleep} began. */
    void afterSleep();

    /** The wait found one of this part's descriptors, counted from 0. */
    void happened(int descriptor) throws PdException;

    @Override
    void close();
}
