// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.peer.PeerEpoll;
import java.util.function.BooleanSupplier;

/** All rings of the peer placement in a {@link WideWait}. Belongs to the waiting thread. */
final class PeerPart implements RingPart {
    private final PeerEpoll epoll;
    private final PdEvents events = new PdEvents(MOST_EVENTS);
    private final int number;

    private PeerPart(PeerEpoll epoll, int number) {
        this.epoll = epoll;
        this.number = number;
    }

    static PeerPart open(Epoll set, int number) throws PdException, LinuxException {
        PeerEpoll epoll = new PeerEpoll();
        boolean done = false;
        try {
            epoll.join(set, RingPart.data(number));
            done = true;
            return new PeerPart(epoll, number);
        } finally {
            if (!done) {
                epoll.close();
            }
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public boolean serves(PdSource source) {
        return !(source instanceof PdSocket);
    }

    @Override
    public void add(PdSource source, int interest, Object attachment) throws PdException {
        epoll.add(source, interest, attachment);
    }

    @Override
    public void modify(PdSource source, int interest) {
        epoll.modify(source, interest);
    }

    @Override
    public void remove(PdSource source) {
        epoll.discard(source);
    }

    @Override
    public boolean isOver() {
        return false;
    }

    @Override
    public int look(WideWait.Sink sink) throws PdException {
        return report(epoll.look(events), sink);
    }

    private int report(int count, WideWait.Sink sink) {
        for (int i = 0; i < count; i++) {
            sink.ring(events.attachment(i), events.events(i));
        }
        return count;
    }

    @Override
    public boolean hasQuiet() {
        return epoll.hasQuiet();
    }

    @Override
    public boolean hasNews() {
        return epoll.hasNews();
    }

    @Override
    public boolean wasActive() {
        return epoll.wasActive();
    }

    @Override
    public boolean spin(BooleanSupplier orElse) {
        return epoll.spin(orElse);
    }

    @Override
    public boolean beforeSleep(WideWait.Sink sink) throws PdException {
        boolean maySleep = epoll.beforeSleep(events);
        report(events.count(), sink);
        return maySleep;
    }

    @Override
    public long mostSleepNanos() {
        return epoll.mostSleepNanos();
    }

    @Override
    public void afterSleep() {
        epoll.afterSleep();
    }

    @Override
    public void happened(int descriptor) throws PdException {
        epoll.happened();
    }

    @Override
    public void close() {
        epoll.close();
    }
}
