// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import io.pipedevice.client.DriverSocket;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Epoll;
import io.pipedevice.peer.wait.PeerEpoll;
import io.pipedevice.wait.WaitSet;
import java.util.function.BooleanSupplier;

/**
 * Polls the rings of the peer placement, or of one attachment to a driver, for a {@link CompositePoller}. Belongs to
 * the waiting thread.
 */
final class RingPoller implements AutoCloseable {
    /** The most sources that one poll reports; the next one reports the others. */
    private static final int MOST_EVENTS = 1024;

    private final WaitSet rings;
    private final PdEvents events = new PdEvents(MOST_EVENTS);
    private final int number;

    private RingPoller(WaitSet rings, int number) {
        this.rings = rings;
        this.number = number;
    }

    /**
     * Opens the poller for a source, and for others of its placement.
     *
     * @param set the kernel reports the poller's own descriptors there
     * @param number identifies these descriptors, at least 1
     */
    static RingPoller open(PdSource first, Epoll set, int number) throws PdException {
        WaitSet rings = first instanceof DriverSocket socket ? socket.newWaitSet() : new PeerEpoll();
        boolean done = false;
        try {
            rings.join(set, (long) number << Integer.SIZE);
            done = true;
            return new RingPoller(rings, number);
        } finally {
            if (!done) {
                rings.close();
            }
        }
    }

    /** The number of the poller that a reported descriptor belongs to; 0 for one of a kernel channel. */
    static int numberOf(long data) {
        return (int) (data >>> Integer.SIZE);
    }

    /** The number that identifies this poller's descriptors. */
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

    /** Changes the events that a source is watched for. */
    void modify(PdSource source, int interest) {
        rings.modify(source, interest);
    }

    /** Removes a source, which may be closed already. */
    void remove(PdSource source) {
        rings.discard(source);
    }

    /** Whether no source of this poller can become ready any more. */
    boolean isOver() {
        return rings.isOver();
    }

    /** Polls in memory, and reports the ready sources; how many there are. */
    int poll(CompositePoller.Sink sink) throws PdException {
        return report(rings.look(events), sink);
    }

    private int report(int count, CompositePoller.Sink sink) {
        for (int i = 0; i < count; i++) {
            sink.ring(events.attachment(i), events.events(i));
        }
        return count;
    }

    /** Whether there may be sources whose readiness only the kernel reports. */
    boolean hasQuiet() {
        return rings.hasQuiet();
    }

    /** Whether the next poll is likely to find something. */
    boolean isLikelyReady() {
        return rings.isLikelyReady();
    }

    /** Whether a source was active lately, so that it is worth while to {@link #spin}. */
    boolean wasActive() {
        return rings.wasActive();
    }

    /**
     * Polls the rings and another condition for as long as a wake-up costs; whether the next poll is likely to find
     * something.
     */
    boolean spin(BooleanSupplier orElse) {
        return rings.spin(orElse);
    }

    /** Arms the sources before the waiting thread sleeps; whether it may. Reports the sources that are ready. */
    boolean beforeSleep(CompositePoller.Sink sink) throws PdException {
        boolean maySleep = rings.beforeSleep(events);
        report(events.count(), sink);
        return maySleep;
    }

    /** The longest sleep of the waiting thread after {@link #beforeSleep} has allowed it, in nanoseconds. */
    long mostSleepNanos() {
        return rings.mostSleepNanos();
    }

    /** Ends what {@link #beforeSleep} began. */
    void afterSleep() {
        rings.afterSleep();
    }

    /** Records that one of this poller's descriptors, which are numbered from 0, is ready. */
    void happened(int descriptor) throws PdException {
        rings.happened(descriptor);
    }

    @Override
    public void close() {
        rings.part();
        rings.close();
    }
}
