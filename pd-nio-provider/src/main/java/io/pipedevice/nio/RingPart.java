// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Epoll;
import io.pipedevice.peer.PeerEpoll;
import io.pipedevice.wait.WaitSet;
import java.util.function.BooleanSupplier;

/**
 * The rings of the peer placement, or of one attachment to a driver, in a {@link WideWait}. Belongs to the waiting thread.
 */
final class RingPart implements AutoCloseable {
    /** Most sources that one look reports; the others have the next turn. */
    private static final int MOST_EVENTS = 1024;

    private final WaitSet rings;
    private final PdEvents events = new PdEvents(MOST_EVENTS);
    private final int number;

    private RingPart(WaitSet rings, int number) {
        this.rings = rings;
        this.number = number;
    }

    /**
     * Opens the part where a source belongs.
     *
     * @param number by which its descriptors are known, at least 1
     */
    static RingPart open(PdSource first, Epoll set, int number) throws PdException {
        WaitSet rings = first instanceof PdSocket socket ? socket.epoll() : new PeerEpoll();
        boolean done = false;
        try {
            rings.join(set, (long) number << Integer.SIZE);
            done = true;
            return new RingPart(rings, number);
        } finally {
            if (!done) {
                rings.close();
            }
        }
    }

    /** The number of the part that a descriptor belongs to, of which the wait's set reports this; 0 for the kernel's. */
    static int numberOf(long data) {
        return (int) (data >>> Integer.SIZE);
    }

    /** By which its descriptors are known. */
    int number() {
        return number;
    }

    /** Whether a source belongs here. */
    boolean serves(PdSource source) {
        return rings.serves(source);
    }

    void add(PdSource source, int interest, Object attachment) throws PdException {
        rings.add(source, interest, attachment);
    }

    /** Changes what a source is watched for. */
    void modify(PdSource source, int interest) {
        rings.modify(source, interest);
    }

    /** Takes a source out that may be closed, and so have left by itself. */
    void remove(PdSource source) {
        rings.discard(source);
    }

    /** Whether nothing can come from here any more. */
    boolean isOver() {
        return rings.isOver();
    }

    /** Looks in memory, and reports; how many were ready. */
    int look(WideWait.Sink sink) throws PdException {
        return report(rings.look(events), sink);
    }

    private int report(int count, WideWait.Sink sink) {
        for (int i = 0; i < count; i++) {
            sink.ring(events.attachment(i), events.events(i));
        }
        return count;
    }

    /** Whether there may be sources of which the kernel alone tells. */
    boolean hasQuiet() {
        return rings.hasQuiet();
    }

    /** Whether the next look is likely to find something. */
    boolean isLikelyReady() {
        return rings.isLikelyReady();
    }

    /** Whether a source was active lately, so that it is worth while to {@link #spin}. */
    boolean wasActive() {
        return rings.wasActive();
    }

    /** Looks for as long as a wake-up costs, here and at something else; whether the next look is likely to find something. */
    boolean spin(BooleanSupplier orElse) {
        return rings.spin(orElse);
    }

    /** Whether the waiting thread may sleep; what was found instead is reported. */
    boolean beforeSleep(WideWait.Sink sink) throws PdException {
        boolean maySleep = rings.beforeSleep(events);
        report(events.count(), sink);
        return maySleep;
    }

    /** How long the waiting thread may sleep at most after {@link #beforeSleep} has allowed it, in nanoseconds. */
    long mostSleepNanos() {
        return rings.mostSleepNanos();
    }

    /** Ends what {@link #beforeSleep} began. */
    void afterSleep() {
        rings.afterSleep();
    }

    /** The wait found one of this part's descriptors, counted from 0. */
    void happened(int descriptor) throws PdException {
        rings.happened(descriptor);
    }

    @Override
    public void close() {
        rings.part();
        rings.close();
    }
}
