// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.stress.Rendezvous;
import io.pipedevice.wait.ActiveEntries;
import io.pipedevice.wait.EntryQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * The interest in a socket changes while the thread that waits in its epoll instance takes the socket from the queue of
 * those to check. (0, false) is the bug: the thread saw the old interest, and the socket is not queued again.
 *
 * <p>Seen to fail when an entry leaves the queue without the order of a volatile write ({@link EntryQueue#drainTo}).
 */
@JCStressTest
@Outcome(id = "0, true", expect = Expect.ACCEPTABLE, desc = "The change came later, and the socket is queued again.")
@Outcome(id = "4, false", expect = Expect.ACCEPTABLE, desc = "The change was seen.")
@Outcome(id = "4, true", expect = Expect.ACCEPTABLE, desc = "The change was seen; the socket is queued once too often.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The change is lost.")
@State
public class EntryQueueStress {
    private final Rendezvous start = new Rendezvous();
    private final EntryQueue queue = new EntryQueue();
    private final ActiveEntries active = new ActiveEntries(4, 100_000);
    private final PlayedInterest source = new PlayedInterest();
    private final PeerEntry entry = new PeerEntry(source, null, 0, null);

    /** A socket that is queued for an earlier change. */
    public EntryQueueStress() {
        queue.add(entry);
    }

    /** The thread that changes the interest. */
    @Actor
    public void change() {
        start.meet();
        entry.interest(PdEpoll.OUT);
        queue.add(entry);
    }

    /** The waiting thread. */
    @Actor
    public void look(IZ_Result result) {
        start.meet();
        queue.drainTo(active);
        result.r1 = entry.look();
    }

    /** Finds out whether the next check has work. */
    @Arbiter
    public void lookAgain(IZ_Result result) {
        result.r2 = !queue.isEmpty();
    }
}
