// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.peer.link.ClientLink;
import io.pipedevice.peer.link.LinkSide;
import io.pipedevice.peer.link.PeerRefusal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What comes of one handshake, which several threads may wait for. Thread safe. */
final class Meeting {
    private final long begin = System.nanoTime();

    /** Not a CompletableFuture, whose class starts the pool of all such: this one is on the way of the first connect. */
    private final CountDownLatch over = new CountDownLatch(1);

    /** One of the two is set before it is over. */
    private ClientLink link;

    private Throwable failure;

    /** Null until it is left to the watching thread, and when that is done with it. Guarded by this object's monitor. */
    private ClientHandshake left;

    /** When it began, in the time of {@link System#nanoTime}. */
    long begin() {
        return begin;
    }

    /** Waits for the link, until so much time has passed since the beginning. */
    ClientLink await(long patienceNanos) throws PeerRefusal {
        try {
            // An interrupted thread gets what there is, as from a Future.
            if (over.getCount() != 0 && !over.await(begin + patienceNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw late();
            }
        } catch (InterruptedException e) {
            // The connecting thread finds the interrupt later, after the kernel has connected it.
            Thread.currentThread().interrupt();
            throw late();
        }
        if (link != null) {
            return link;
        }
        PeerRefusal.Reason reason =
                failure instanceof PeerRefusal refusal ? refusal.reason() : PeerRefusal.Reason.HANDSHAKE_FAILED;
        PeerRefusal refusal = new PeerRefusal(reason, failure.getMessage());
        refusal.initCause(failure);
        throw refusal;
    }

    static PeerRefusal late() {
        return new PeerRefusal(PeerRefusal.Reason.HANDSHAKE_FAILED, "the listener has not answered yet");
    }

    void made(ClientLink made) {
        leave(null);
        link = made;
        over.countDown();
    }

    void failed(Throwable why) {
        leave(null);
        failure = why;
        over.countDown();
    }

    synchronized void leave(ClientHandshake handshake) {
        left = handshake;
    }

    /** Ends what is left to the watching thread. */
    synchronized void hangUp() {
        if (left != null) {
            left.hangUp();
        }
    }

    boolean isOf(LinkSide one) {
        return over.getCount() == 0 && link == one;
    }
}
