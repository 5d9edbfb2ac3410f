// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What comes of one handshake, which several threads may wait for. Thread safe. */
final class Meeting {
    private final long begin = System.nanoTime();
    private final CompletableFuture<PeerLink> link = new CompletableFuture<>();

    /** Null until it is left to the watching thread, and when that is done with it. Guarded by this object's monitor. */
    private ClientHandshake left;

    /** When it began, in the time of {@link System#nanoTime}. */
    long begin() {
        return begin;
    }

    /** Waits for the link, until so much time has passed since the beginning. */
    PeerLink await(long patienceNanos) throws PeerRefusal {
        try {
            return link.get(begin + patienceNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw late();
        } catch (InterruptedException e) {
            // Who connects finds the interrupt there, after the kernel has connected it.
            Thread.currentThread().interrupt();
            throw late();
        } catch (ExecutionException e) {
            PeerRefusal.Reason reason = e.getCause() instanceof PeerRefusal refusal
                    ? refusal.reason()
                    : PeerRefusal.Reason.HANDSHAKE_FAILED;
            PeerRefusal refusal = new PeerRefusal(reason, e.getCause().getMessage());
            refusal.initCause(e.getCause());
            throw refusal;
        }
    }

    static PeerRefusal late() {
        return new PeerRefusal(PeerRefusal.Reason.HANDSHAKE_FAILED, "the listener has not answered yet");
    }

    void made(PeerLink made) {
        leave(null);
        link.complete(made);
    }

    void failed(Throwable why) {
        leave(null);
        link.completeExceptionally(why);
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

    boolean isOf(PeerLink one) {
        return link.isDone() && !link.isCompletedExceptionally() && link.join() == one;
    }
}
