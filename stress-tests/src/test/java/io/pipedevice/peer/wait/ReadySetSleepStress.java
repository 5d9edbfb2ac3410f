// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.stream.PlayedSide;
import io.pipedevice.stress.Rendezvous;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The sleep of a poller that reads a ready ring. The peer writes an entry, fences, and checks whether the poller sleeps
 * and whether its doorbell was rung in this sleep; it does the same for a second socket. The poller announces that it
 * sleeps, fences, and reads once more. An entry that was not read although no thread has rung is a lost wake-up.
 *
 * <p>Seen to fail without the fence of {@link ReadyWriter#announce}, and without that of {@link ReadySet#sleep}.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "Two entries wait, and no thread rings.")
@Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "An entry waits, and no thread rings.")
@Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "The poller reads both, and stays awake.")
@Outcome(id = "[012], [12]", expect = Expect.ACCEPTABLE, desc = "The peer rings.")
@State
public class ReadySetSleepStress {
    private static final int BELLS = PeerArmWord.MAX_BELLS;

    /** Pairs of memories, each with doorbells; all doorbells together are more than jcstress has states at a time. */
    private static final Pair[] PAIRS = new Pair[32];

    private static final AtomicInteger STATES = new AtomicInteger();

    static {
        try {
            for (int i = 0; i < PAIRS.length; i++) {
                PAIRS[i] = new Pair();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Both sides of a link, which lives for ever. */
    private static final class Pair {
        final LinkMemory poller = memory();
        final LinkMemory ringer = memory();
        final ReadyWriter writer = new ReadyWriter(ringer, poller);

        Pair() throws IOException {
            for (int bell = 0; bell < BELLS; bell++) {
                writer.open(bell);
            }
        }

        /** A sparse memory. */
        private static LinkMemory memory() throws IOException {
            return new LinkMemory(
                    SharedRegion.create("stress", LinkPages.length(), false).memory());
        }
    }

    private final Rendezvous start = new Rendezvous();
    private final AtomicInteger rings = new AtomicInteger();
    private final ReadyWriter writer;
    private final ReadySet poller;

    /** How many entries the poller has read. */
    private int read;

    private final long armWord;

    /** Takes the next doorbell. */
    public ReadySetSleepStress() {
        int number = STATES.getAndIncrement() & Integer.MAX_VALUE;
        Pair pair = PAIRS[number % PAIRS.length];
        int bell = number / PAIRS.length % BELLS;
        writer = pair.writer;
        poller = new ReadySet(new Overflows(), (link, cookie) -> read++);
        poller.enter(new ReadyReader(new PlayedSide(pair.poller, pair.ringer, null), bell));
        armWord = PeerArmWord.of(bell, 1, 1);
    }

    private void announce() {
        if (writer.announce(armWord) != ReadyWriter.Announcement.ENOUGH) {
            long state = writer.state(armWord);
            rings.incrementAndGet();
            writer.rung(armWord, state);
        }
    }

    /** Adds entries for two sockets. */
    @Actor
    public void peer() {
        start.meet();
        announce();
        announce();
    }

    /** Goes to sleep. */
    @Actor
    public void poller(II_Result result) {
        start.meet();
        poller.sleep();
        poller.read();
        result.r1 = read;
    }

    /** Leaves the doorbell to the next state. */
    @Arbiter
    public void end(II_Result result) {
        result.r2 = rings.get();
        poller.read();
        poller.leave();
    }
}
