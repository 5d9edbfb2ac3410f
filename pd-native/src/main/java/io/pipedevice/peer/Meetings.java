// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.linux.UnixAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The links of a client process by the names of the listeners, and the failures that are not to be repeated at once. Thread safe. */
final class Meetings {
    private static final long FORBEARANCE_NS = TimeUnit.SECONDS.toNanos(1);

    private final PeerNetwork network;
    private final ConcurrentHashMap<UnixAddress, CompletableFuture<PeerLink>> meetings = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<UnixAddress, Failure> failures = new ConcurrentHashMap<>();

    Meetings(PeerNetwork network) {
        this.network = network;
    }

    private record Failure(PeerRefusal.Reason reason, String message, long until) {}

    /** The link to whoever listens at a name; only one of the threads that ask at the same time makes it. */
    PeerLink meet(UnixAddress name, long deadline) throws PeerRefusal {
        while (true) {
            refuseAfterFailure(name);
            CompletableFuture<PeerLink> mine = new CompletableFuture<>();
            CompletableFuture<PeerLink> theirs = meetings.putIfAbsent(name, mine);
            if (theirs == null) {
                return make(name, deadline, mine);
            }
            PeerLink link = await(theirs);
            if (link.isListening()) {
                return link;
            }
            meetings.remove(name, theirs);
        }
    }

    private void refuseAfterFailure(UnixAddress name) throws PeerRefusal {
        Failure failure = failures.get(name);
        if (failure == null) {
            return;
        }
        if (failure.until - System.nanoTime() > 0) {
            throw new PeerRefusal(failure.reason, "a moment ago: " + failure.message);
        }
        failures.remove(name, failure);
    }

    private PeerLink make(UnixAddress name, long deadline, CompletableFuture<PeerLink> meeting) throws PeerRefusal {
        try {
            PeerLink link = network.meet(name, deadline);
            meeting.complete(link);
            return link;
        } catch (PeerRefusal e) {
            if (e.reason() != PeerRefusal.Reason.NO_RENDEZVOUS) {
                long now = System.nanoTime();
                failures.values().removeIf(failure -> failure.until - now <= 0);
                failures.put(name, new Failure(e.reason(), e.getMessage(), now + FORBEARANCE_NS));
            }
            meetings.remove(name, meeting);
            meeting.completeExceptionally(e);
            throw e;
        } catch (RuntimeException | Error e) {
            meetings.remove(name, meeting);
            meeting.completeExceptionally(e);
            throw e;
        }
    }

    /** Waits for another thread's handshake, which has a deadline. */
    private static PeerLink await(CompletableFuture<PeerLink> meeting) throws PeerRefusal {
        try {
            return meeting.join();
        } catch (CompletionException e) {
            PeerRefusal.Reason reason = e.getCause() instanceof PeerRefusal refusal
                    ? refusal.reason()
                    : PeerRefusal.Reason.HANDSHAKE_FAILED;
            PeerRefusal refusal = new PeerRefusal(reason, e.getCause().getMessage());
            refusal.initCause(e.getCause());
            throw refusal;
        }
    }

    /** A link has ended. */
    void ended(PeerLink link) {
        meetings.values()
                .removeIf(meeting -> meeting.isDone() && !meeting.isCompletedExceptionally() && meeting.join() == link);
    }
}
