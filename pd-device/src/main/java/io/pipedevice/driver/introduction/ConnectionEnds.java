// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.linux.TcpSequences;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The ends of connections whose other end is not known yet: intents of clients and connections that servers have
 * accepted, by the client's port, which both ends see alike unless it was rewritten. Belongs to the driver's thread.
 */
final class ConnectionEnds {
    /** Longer than the kernel takes to send a SYN three times. */
    private static final long INTENT_NS = TimeUnit.SECONDS.toNanos(8);

    /** The kernel's connection between two namespaces of a host usually stands within this time. */
    private static final long SOON_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /** How long a server may take to ask about a connection that it has accepted. */
    private static final long HELD_NS = TimeUnit.MILLISECONDS.toNanos(250);

    /** How long the question of a server that was not found may take. It delays connections out of the host. */
    private static final long UNSEEN_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A server that has not accepted after this time may wait for its client. */
    private static final long UNCALLED_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long ACCEPTANCE_NS = TimeUnit.SECONDS.toNanos(1);

    /** How long an introduced client may take to go on by rings: it gives itself half of that. */
    private static final long MET_NS = TimeUnit.SECONDS.toNanos(12);

    private static final int MOST_REFUSED = 256;
    private static final int MOST_INTENTS = 65_536;
    private static final int MOST_WAITING = 4096;

    /** A port belongs to one client of each network namespace. */
    private static final int MOST_OF_PORT = 16;

    /** Intents whose connections do not stand yet. */
    private final Int2ObjectHashMap<List<Intent>> announced = new Int2ObjectHashMap<>();

    /** Intents whose connections stand. */
    private final Int2ObjectHashMap<List<Intent>> intents = new Int2ObjectHashMap<>();

    private final Int2ObjectHashMap<List<Acceptance>> acceptances = new Int2ObjectHashMap<>();

    /** In the order in which they came. */
    private final LinkedHashSet<Acceptance> waiting = new LinkedHashSet<>();

    private final Ageing<Intent> open = new Ageing<>(INTENT_NS);
    private final Ageing<Intent> met = new Ageing<>(MET_NS);

    /** Intents whose servers have accepted the connection. */
    private final Ageing<Intent> held = new Ageing<>(HELD_NS);

    /** Intents of which it is not known whether a server that takes part has the connection. */
    private final Ageing<Intent> unseen = new Ageing<>(UNSEEN_NS);

    /** Intents whose servers have not accepted the connection. */
    private final Ageing<Intent> uncalled = new Ageing<>(UNCALLED_NS);

    /** Accepted connections that were refused lately. */
    private final ArrayDeque<TcpSequences> refused = new ArrayDeque<>();

    /** When the last intent came. */
    private long announcedNs;

    private long turn;

    /** The number of the present turn of messages. */
    long turn() {
        return turn;
    }

    void endTurn() {
        turn++;
    }

    boolean hasRoomForIntent(int port) {
        return open.size() + met.size() < MOST_INTENTS
                && announced.getOrDefault(port, List.of()).size() < MOST_OF_PORT;
    }

    boolean hasRoomForAcceptance() {
        return waiting.size() < MOST_WAITING;
    }

    void add(Intent intent) {
        announced.computeIfAbsent(intent.port, port -> new ArrayList<>(1)).add(intent);
        announcedNs = intent.sinceNs;
        open.add(intent, intent.sinceNs);
    }

    /** The connection of an intent stands. */
    void connected(Intent intent) {
        remove(announced, intent.port, intent);
        intents.computeIfAbsent(intent.port, port -> new ArrayList<>(1)).add(intent);
    }

    /** Adds an accepted connection; false if its server has asked twice at the same time. */
    boolean add(Acceptance acceptance) {
        if (!waiting.add(acceptance)) {
            return false;
        }
        acceptances
                .computeIfAbsent(acceptance.port(), port -> new ArrayList<>(1))
                .add(acceptance);
        acceptance.server().waiting++;
        return true;
    }

    /** An intent that was removed has met its other end. */
    void met(Intent intent, long now) {
        met.add(intent, now);
    }

    /** The server of an intent has accepted the connection, and has not asked. */
    void isHeld(Intent intent, long now) {
        held.add(intent, now);
    }

    /** It is not known whether a server that takes part has the connection of an intent. */
    void isUnseen(Intent intent, long now) {
        unseen.add(intent, now);
    }

    void remove(Intent intent) {
        met.remove(intent);
        held.remove(intent);
        unseen.remove(intent);
        uncalled.remove(intent);
        if (open.remove(intent)) {
            remove(intent.isConnected() ? intents : announced, intent.port, intent);
        }
    }

    private static <T> void remove(Int2ObjectHashMap<List<T>> from, int port, T end) {
        List<T> all = from.get(port);
        all.remove(end);
        if (all.isEmpty()) {
            from.remove(port);
        }
    }

    /** Finds and removes the accepted connection that is the other end of an intent; null if there is none yet. */
    Acceptance otherEndOf(Intent intent) {
        for (Acceptance each : acceptances.getOrDefault(intent.port, List.of())) {
            if (each.sequences().areOfOtherEnd(intent.sequences)) {
                remove(each);
                return each;
            }
        }
        return null;
    }

    /** Finds the intent that is the other end of an accepted connection; null if there is none yet. */
    Intent otherEndOf(Acceptance acceptance) {
        for (Intent each : intents.getOrDefault(acceptance.port(), List.of())) {
            if (each.sequences.areOfOtherEnd(acceptance.sequences())) {
                return each;
            }
        }
        return null;
    }

    /** Whether the server's connection was refused before its client asked. */
    boolean wasRefused(Intent intent) {
        for (TcpSequences each : refused) {
            if (each.areOfOtherEnd(intent.sequences)) {
                return true;
            }
        }
        return false;
    }

    private void remove(Acceptance acceptance) {
        waiting.remove(acceptance);
        acceptance.server().waiting--;
        remove(acceptances, acceptance.port(), acceptance);
    }

    /** Removes all accepted connections of a server. */
    void removeOf(Participant server) {
        for (Acceptance each : waiting.toArray(new Acceptance[0])) {
            if (each.server() == server) {
                remove(each);
            }
        }
    }

    /**
     * Finds and removes the accepted connections whose clients will not come. An intent was sent before the question
     * about its connection, so that a whole turn of messages after the question has it.
     */
    List<Acceptance> takeHopeless(long now) {
        if (waiting.isEmpty()) {
            return List.of();
        }
        List<Acceptance> hopeless = new ArrayList<>();
        for (Acceptance each : waiting) {
            if (each.turn() < turn - 1
                    && (now - each.sinceNs() > ACCEPTANCE_NS || !announced.containsKey(each.port()))) {
                hopeless.add(each);
            }
        }
        for (Acceptance each : hopeless) {
            remove(each);
            refused(each.sequences());
        }
        return hopeless;
    }

    /** Remembers an accepted connection that was refused, so that its client does not wait for it. */
    void refused(TcpSequences server) {
        if (refused.size() == MOST_REFUSED) {
            refused.removeFirst();
        }
        refused.addLast(server);
    }

    /** Removes an accepted connection that waits; null if there is no such one. */
    Acceptance takeOf(Participant server, int request) {
        for (Acceptance each : waiting) {
            if (each.server() == server && each.request() == request) {
                remove(each);
                refused(each.sequences());
                return each;
            }
        }
        return null;
    }

    /** Returns an intent whose time is over, for the caller to remove; null if there is none. */
    Intent nextLate(long now) {
        Intent oldest = open.late(now);
        return oldest != null ? oldest : met.late(now);
    }

    /** Returns an intent whose server does not ask, for the caller to remove; null if there is none. */
    Intent nextHeld(long now) {
        return held.late(now);
    }

    /** A server has not accepted the connection of an intent. */
    void isUncalled(Intent intent, long now) {
        uncalled.add(intent, now);
    }

    /** Takes an intent whose server does not accept; null if there is none. */
    Intent takeUncalled(long now) {
        Intent late = uncalled.late(now);
        if (late != null) {
            uncalled.remove(late);
        }
        return late;
    }

    /** Returns an intent of which no server has asked, for the caller to remove; null if there is none. */
    Intent nextUnseen(long now) {
        return unseen.late(now);
    }

    boolean isUnsettled() {
        return !waiting.isEmpty() && waiting.getLast().turn() >= turn - 1;
    }

    boolean hasAcceptance(int port) {
        return acceptances.containsKey(port);
    }

    /** Whether the connection of an intent probably stands within microseconds. */
    boolean expectsQuestion(long now) {
        return !announced.isEmpty() && now - announcedNs < SOON_NS;
    }

    boolean waitsForQuestion() {
        return !held.isEmpty() || !unseen.isEmpty() || !uncalled.isEmpty();
    }

    boolean waitsForTime() {
        return !waiting.isEmpty() || !open.isEmpty() || !met.isEmpty();
    }
}
