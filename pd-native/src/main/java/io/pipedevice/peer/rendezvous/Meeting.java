// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.peer.link.ClientLink;
import io.pipedevice.peer.link.LinkSide;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.wait.FairTimeout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The result of one handshake, for which several threads may wait. Thread safe. */
final class Meeting {
    private final long begin = System.nanoTime();

    /** Not a CompletableFuture: its class initializes the common pool, which would delay the first connect. */
    private final CountDownLatch over = new CountDownLatch(1);

    /** Either this or the failure is set before the latch is released. */
    private ClientLink link;

    private Throwable failure;

    /** The handshake while the watching thread has it; else null. Guarded by this object's monitor. */
    private ClientHandshake left;

    /** When the handshake began, by {@link System#nanoTime}. */
    long begin() {
        return begin;
    }

    /** Waits for the link until the timeout, counted from the beginning of the handshake, is over. */
    ClientLink await(Patience patience) throws PeerRefusal {
        try {
            // An interrupted thread still gets a result that exists, as from a Future.
            if (over.getCount() != 0 && !isOver(patience)) {
                throw late();
            }
        } catch (InterruptedException e) {
            // The connecting thread handles the interrupt later, after the kernel has connected it.
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

    private boolean isOver(Patience patience) throws InterruptedException {
        FairTimeout timeout = patience.from(begin);
        do {
            if (over.await(timeout.untilNs() - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return true;
            }
        } while (timeout.goesOn());
        return false;
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

    /** Cancels the handshake that the watching thread has, if any. */
    synchronized void hangUp() {
        if (left != null) {
            left.hangUp();
        }
    }

    boolean isOf(LinkSide one) {
        return over.getCount() == 0 && link == one;
    }
}
