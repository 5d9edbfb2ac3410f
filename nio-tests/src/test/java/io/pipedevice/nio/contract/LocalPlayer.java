// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;

/**
 * One end of a game in this process. Acts run on threads of their own, one at a time except for those that
 * {@link #begin} started.
 */
abstract class LocalPlayer implements Player {
    static final LongAdder CONNECTIONS = new LongAdder();
    static final LongAdder ON_RINGS = new LongAdder();

    /**
     * On busy processors a game may be slow, and processes may be stopped; only a game that hangs takes as long as
     * this.
     */
    private static final long PATIENCE_S = 600;

    final Pairing pairing;

    /** Added to twice the number of a line: the stream that this end writes, and the one that it reads. */
    final int writes;

    final int reads;

    private final ArrayDeque<Task<Outcome>> begun = new ArrayDeque<>();

    /** Set by the acts of one thread at a time. */
    private volatile boolean wasOnRings = true;

    /** @param client whether it connects, or listens */
    LocalPlayer(Pairing pairing, boolean client) {
        this.pairing = pairing;
        this.writes = client ? 0 : 1;
        this.reads = 1 - writes;
    }

    /**
     * Creates a player.
     *
     * @param ends what the ends of the game are; null if both are channels
     */
    static LocalPlayer of(Pairing pairing, SocketEnds ends, boolean client) throws IOException {
        boolean isSocket = ends != null && (client ? ends.clientIsSocket() : ends.serverIsSocket());
        return isSocket ? new SocketPlayer(pairing, client) : new ChannelPlayer(pairing, client);
    }

    /** Performs an act, on the calling thread. */
    abstract Outcome perform(Act act) throws IOException;

    /** What performs an act that is to begin now. */
    Callable<Outcome> prepared(Act act) throws IOException {
        return () -> perform(act);
    }

    /** Closes this end of a line, if it has one. */
    abstract void leaveLine(int line) throws IOException;

    @Override
    public Outcome act(Act act) throws Exception {
        return act.kind() == Act.Kind.SETTLE
                ? perform(act)
                : start(act, () -> perform(act)).resultWithin(PATIENCE_S);
    }

    @Override
    public void begin(Act act) throws IOException {
        begun.add(start(act, prepared(act)));
    }

    @Override
    public void interrupt() {
        begun.getLast().interrupt();
    }

    @Override
    public Outcome end() throws Exception {
        Task<Outcome> task = begun.remove();
        Outcome outcome = task.resultWithin(PATIENCE_S);
        return task.interruptedAtEnd() ? new Outcome(outcome.text() + ", interrupted", outcome.count()) : outcome;
    }

    private Task<Outcome> start(Act act, Callable<Outcome> body) {
        return new Task<>(act.thread(), () -> {
            try {
                return body.call();
            } catch (IOException | RuntimeException e) {
                return Outcome.of(e, 0);
            } catch (AssertionError e) {
                // Close the line. Otherwise the other end would wait for this one, and its late failure would be
                // reported first.
                leaveLine(act.line());
                throw e;
            }
        });
    }

    /** Counts a connection that this end has made. */
    final void connected(boolean onRings) {
        CONNECTIONS.increment();
        if (onRings) {
            ON_RINGS.increment();
        } else {
            wasOnRings = false;
        }
    }

    /** Whether all connections that this end made are on rings. */
    final boolean wasOnRings() {
        return wasOnRings;
    }
}
