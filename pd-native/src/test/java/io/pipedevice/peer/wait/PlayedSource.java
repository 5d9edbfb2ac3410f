// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.stream.RingLink;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A source whose peer this process plays, with words in plain memory. */
public final class PlayedSource extends PeerSource {
    final PlayedLink link;

    /** The number of looks at this source. */
    final AtomicInteger looks = new AtomicInteger();

    /** Runs during a look; may be null. */
    volatile Runnable whenLookedAt;

    /** Runs while a wait asks for the processor of the peer; may be null. */
    volatile Runnable whenAsked;

    private final Direction in = new Direction();
    private final Direction out = new Direction();
    private volatile boolean open = true;

    private static final class Direction {
        final AtomicLong published = new AtomicLong();
        final AtomicLong taken = new AtomicLong();
        final AtomicLong armWord = new AtomicLong();

        /** The arm word that the peer rang last; belongs to the peer. */
        long rung;

        boolean isReady() {
            return published.getAcquire() != taken.getPlain();
        }
    }

    PlayedSource(PlayedLink link) {
        this.link = link;
    }

    public PlayedSource() {
        this(new PlayedLink());
    }

    private Direction direction(int direction) {
        return direction == PdEpoll.IN ? in : out;
    }

    @Override
    public int readiness(int wanted) {
        looks.setPlain(looks.getPlain() + 1);
        run(whenLookedAt);
        return ((wanted & PdEpoll.IN) != 0 && in.isReady() ? PdEpoll.IN : 0)
                | ((wanted & PdEpoll.OUT) != 0 && out.isReady() ? PdEpoll.OUT : 0);
    }

    @Override
    protected boolean sharesProcessor(int processor) {
        run(whenAsked);
        return false;
    }

    private static void run(Runnable event) {
        if (event != null) {
            event.run();
        }
    }

    @Override
    protected boolean arm(int direction, Bell bell, long generation, int cookie) {
        int number = link.numberOf(bell);
        if (number == RingLink.NO_BELL) {
            return false;
        }
        direction(direction).armWord.setRelease(PeerArmWord.of(number, generation, cookie));
        return true;
    }

    @Override
    protected void disarm(int direction) {
        direction(direction).armWord.setRelease(PeerArmWord.DISARMED);
    }

    @Override
    protected boolean isOf(BellLink asked) {
        return link.equals(asked);
    }

    @Override
    protected void forEachLink(Consumer<BellLink> visitor) {
        visitor.accept(link);
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    void close() {
        open = false;
        endWaits();
    }

    long armWord(int direction) {
        return direction(direction).armWord.get();
    }

    /** Publishes as the peer. Returns whether it announced that. Used by one thread at a time. */
    public boolean publish(int direction) {
        Direction one = direction(direction);
        one.published.setRelease(one.published.getPlain() + 1);
        VarHandle.fullFence();
        long word = one.armWord.getAcquire();
        if (word == PeerArmWord.DISARMED || word == one.rung) {
            return false;
        }
        one.rung = word;
        link.wake(word);
        return true;
    }

    /** Takes all that was published. Belongs to the waiting thread. */
    void take(int direction) {
        Direction one = direction(direction);
        one.taken.setPlain(one.published.getAcquire());
    }

    /** The number of publications that were taken. */
    long taken(int direction) {
        return direction(direction).taken.getPlain();
    }
}
