// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.driver.account.Accounts;
import io.pipedevice.driver.account.Tally;
import io.pipedevice.driver.data.Endpoint;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.policy.PairRule;
import io.pipedevice.driver.policy.Party;
import io.pipedevice.driver.policy.Ruling;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.TcpConnections;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/**
 * The connections of which a client, a server or both have asked: finds the two ends of each, asks the policy, and
 * answers both. A server's connection is answered at once if no intent of its client's port is open. The intents that
 * were sent before it may still be in their control connections; so it waits for the next turn of messages first.
 * Belongs to the driver's thread.
 */
final class ConnectionMeetings {
    private static final int MOST_INTENTS = 4096;
    private static final int MOST_WAITING = 1024;

    /** The messages of two processes may be handled in another order than they were sent. */
    private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /**
     * How long after its announcement a connection may wait for a server's question whose socket is being read: that
     * of a server which has the connection, and that of any other.
     */
    private static final long HELD_ASKED_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long UNSEEN_ASKED_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final String NO_OTHER_END = "no program with this driver has the other end";

    private static final String NOT_AWAITED = "the driver has not answered in time";

    private final ConnectionEnds ends = new ConnectionEnds();
    private final Tickets tickets = new Tickets();
    private final ControlMessage answer = new ControlMessage();
    private final ServerSearch search;
    private final DriverCounters counters;
    private final Accounts accounts;
    private final PairRule rule;
    private long nowNs;

    /** The number of listeners' addresses that were announced. */
    private long announcements;

    /**
     * Creates it without connections.
     *
     * @param participants the owner's, which changes it
     */
    ConnectionMeetings(List<Participant> participants, DriverCounters counters, Accounts accounts, PairRule rule) {
        search = new ServerSearch(participants, rule);
        this.counters = counters;
        this.accounts = accounts;
        this.rule = rule;
    }

    /**
     * Continues at a later time.
     *
     * @param now in nanoseconds
     */
    void at(long now) {
        nowNs = now;
    }

    /** An address of a listener was announced. */
    void announced() {
        announcements++;
    }

    /** Changes when connections may be found at listeners that were not known before. */
    long announcements() {
        return announcements;
    }

    /** The tickets of connections that go on through the device. */
    Tickets tickets() {
        return tickets;
    }

    /** A client has connected through the device: its server gets the connection there. */
    void connected(Ticket ticket) {
        forget(ticket.intent);
    }

    void intend(Participant from, ControlMessage message) {
        int id = message.requestId();
        if (from.intents.size() < MOST_INTENTS
                && ends.hasRoomForIntent(message.value())
                && !from.intents.containsKey(id)) {
            Intent intent = new Intent(from, id, message.value(), nowNs);
            from.intents.put(id, intent);
            ends.add(intent);
        }
    }

    /**
     * Whether no participant has the other end of a client's connection, as far as can be known without its socket.
     * Most such connections lead out of the host. The client's word is enough to refuse it.
     *
     * @param address the client's own, as it says
     */
    boolean seemsOutward(Question question, InetSocketAddress address) {
        Intent intent = question.from.intents.get(question.request);
        return intent != null
                && !intent.isConnected()
                && address.getPort() == intent.port
                && search.search(question, address).isNowhere();
    }

    /**
     * Refuses a connection that seems to lead outwards, unless a server has asked about one from its port meanwhile.
     *
     * @return false if the socket has to be read
     */
    boolean refuseOutward(Question question) {
        Intent intent = question.from.intents.get(question.request);
        if (intent == null || ends.hasAcceptance(intent.port)) {
            return false;
        }
        refuse(intent, Errno.ENOENT, NO_OTHER_END);
        return true;
    }

    /**
     * Looks for the other end of a client's connection, whose socket was read.
     *
     * @return false if no participant has asked about it
     */
    boolean connected(Question question) {
        Intent intent = question.from.intents.get(question.request);
        if (intent == null || intent.isConnected() || question.address == null) {
            refuse(question, Errno.ENOBUFS, "no such intent");
            return true;
        }
        intent.address = question.address;
        intent.sequences = question.sequences;
        intent.slot = question.slot;
        intent.isOfOwnNamespace = question.isOfOwnNamespace;
        ends.connected(intent);
        Acceptance other = ends.otherEndOf(intent);
        if (other != null) {
            meet(intent, other);
            return true;
        }
        if (ends.wasRefused(intent)) {
            refuse(intent, Errno.ENOENT, NO_OTHER_END);
            return true;
        }
        return false;
    }

    /** Looks for the other end of a server's connection, whose socket was read. */
    void accepted(Question question) {
        Participant from = question.from;
        if (from.waiting >= MOST_WAITING || !ends.hasRoomForAcceptance() || !from.hasListener(question.listener)) {
            ends.refused(question.sequences);
            refuse(question, Errno.ENOBUFS, "no such listener, or too many connections wait");
            return;
        }
        if (question.address != null) {
            if (from.listens(question.listener, question.address, nowNs)) {
                announced();
            }
        }
        Acceptance acceptance = new Acceptance(
                from,
                question.request,
                question.listener,
                question.port,
                question.address,
                question.sequences,
                question.isOfOwnNamespace,
                question.slot,
                nowNs,
                ends.turn());
        Intent other = ends.otherEndOf(acceptance);
        if (other != null) {
            meet(other, acceptance);
        } else if (!ends.add(acceptance)) {
            refuse(question, Errno.EEXIST, "the same question twice");
        }
    }

    /** Refuses a question whose socket was not compared. */
    void refuse(Question question, int errno, String text) {
        Intent intent =
                question.type == IntroductionMessage.CONNECTED ? question.from.intents.get(question.request) : null;
        if (intent != null) {
            forget(intent);
        }
        counters.notIntroduced.add(1);
        answer.request(question.type, question.request).fail(errno, text);
        send(question.from);
    }

    /**
     * Waits for the server that may have the other end of a client's connection, unless they have met, or refuses it.
     * Those with which the client may not connect are asked too, so that both ends learn why; they take nothing from
     * the budget of the others. A server that has joined this driver since the client announced the connection may have
     * accepted it before, and then does not ask.
     *
     * @param servers whether servers' questions about one from its port are not answered yet
     */
    void awaitOtherEnd(Question question, boolean servers) {
        Intent intent = question.from.intents.get(question.request);
        if (intent == null || intent.met != null || !intent.isConnected()) {
            return;
        }
        ServerSearch.Found found = search.search(question, intent.address);
        if (found.server() != null) {
            awaitServer(question, intent, found);
        } else if (found.isNotPermitted() && !servers) {
            refuse(intent, Errno.ENOENT, NO_OTHER_END);
        } else {
            ends.isUnseen(intent, nowNs);
        }
    }

    private void awaitServer(Question question, Intent intent, ServerSearch.Found found) {
        EndSearch ended = found.search();
        boolean waits = ended.found() == TcpConnections.Stage.WAITS;
        if (waits) {
            intent.waitsFor = found.server();
            ends.isUncalled(intent, nowNs);
        }
        // A neighbour may not ask: it does not find every rule.
        if (found.server().isNeighbourOf(question.namespace)
                || (!waits && ended.announcedNs() + LATE_NS - intent.sinceNs > 0)) {
            ends.isHeld(intent, nowNs);
        }
    }

    private static Party client(Intent intent) {
        return new Party(intent.client.identity, intent.address.getAddress());
    }

    private static Party server(Acceptance acceptance) {
        InetSocketAddress address = acceptance.address();
        return new Party(acceptance.server().identity, address == null ? null : address.getAddress());
    }

    private Ruling rulingOn(Intent intent, Acceptance acceptance) {
        Ruling ruling = rule.rule(client(intent), server(acceptance));
        if (ruling.isPermitted()
                && !(intent.isOfOwnNamespace && acceptance.isOfOwnNamespace())
                && !intent.client.identity.isSameUser(acceptance.server().identity)) {
            // Its user could give the socket the numbers of another user's connection.
            return Ruling.refuseUser("the network namespace belongs to another user namespace");
        }
        return ruling;
    }

    private void meet(Intent intent, Acceptance acceptance) {
        ends.remove(intent);
        Participant client = intent.client;
        Participant server = acceptance.server();
        if (!intent.isAwaited() || !acceptance.isAwaited()) {
            // This driver was late. One end uses the kernel's connection already.
            refuse(intent, Errno.ETIMEDOUT, NOT_AWAITED);
            refuse(acceptance, Errno.ETIMEDOUT, NOT_AWAITED);
            return;
        }
        Ruling ruling = rulingOn(intent, acceptance);
        if (!ruling.isPermitted()) {
            accounts.count(client.session.account(), Tally.REFUSED_BY_POLICY);
            refuse(intent, ruling.errno(), ruling.reason());
            refuse(acceptance, ruling.errno(), ruling.reason());
            return;
        }
        boolean direct = ruling.path() == DataPath.DIRECT;
        Endpoint socket = direct ? null : server.offered(acceptance.listener());
        if (!direct && socket == null) {
            refuse(intent, Errno.EIO, "the server is not attached to the driver's device");
            refuse(acceptance, Errno.EIO, "not attached to the driver's device");
            return;
        }
        // The server first, so that it knows of the client before the client comes.
        answer.request(IntroductionMessage.ACCEPTED, acceptance.request()).peerAddress(intent.address);
        if (direct) {
            answer.value(client.identity.pid()).argument(client.identity.startTime());
        }
        if (!send(server)) {
            refuse(intent, Errno.ENOBUFS, "the server does not read its answers");
            return;
        }
        intent.met = acceptance;
        ends.met(intent, nowNs);
        counters.introduced.add(1);
        accounts.count(client.session.account(), Tally.INTRODUCED);
        accounts.count(server.session.account(), Tally.INTRODUCED);
        answer.request(IntroductionMessage.CONNECTED, intent.id);
        if (direct) {
            client.permit(server, acceptance.listener(), false);
            answer.value(server.identity.pid())
                    .argument(server.identity.startTime())
                    .socketId(acceptance.listener());
        } else {
            intent.ticket = tickets.issue(intent, acceptance, socket);
            answer.argument(intent.ticket);
        }
        send(client);
    }

    /** A client has its connection. One through the device is made by its ticket. */
    void made(Participant from, ControlMessage message) {
        Intent intent = from.intents.get(message.requestId());
        if (intent != null && intent.met != null && intent.ticket == 0) {
            forget(intent);
        }
    }

    /** The end that has asked waits no longer. */
    void withdraw(Participant from, ControlMessage message) {
        Intent intent = from.intents.get(message.requestId());
        if (intent == null) {
            Acceptance acceptance = ends.takeOf(from, message.requestId());
            if (acceptance != null) {
                refuse(acceptance, Errno.ETIMEDOUT, NOT_AWAITED);
            }
        } else {
            giveUp(intent);
        }
    }

    /** Ends an intent whose client, or time, is over. */
    private void giveUp(Intent intent) {
        if (intent.met != null) {
            answer.request(IntroductionMessage.RELEASED, intent.met.request());
            send(intent.met.server());
            forget(intent);
        } else if (intent.isConnected()) {
            refuse(intent, Errno.ETIMEDOUT, "the server has not accepted in time");
        } else {
            forget(intent);
        }
    }

    private void forget(Intent intent) {
        tickets.remove(intent.ticket);
        ends.remove(intent);
        intent.client.intents.remove(intent.id);
    }

    private void refuse(Intent intent, int errno, String text) {
        forget(intent);
        counters.notIntroduced.add(1);
        answer.request(IntroductionMessage.CONNECTED, intent.id).fail(errno, text);
        send(intent.client);
    }

    private void refuse(Acceptance acceptance, int errno, String text) {
        answer.request(IntroductionMessage.ACCEPTED, acceptance.request()).fail(errno, text);
        send(acceptance.server());
    }

    /** Sends the answer; whether that was possible. */
    private boolean send(Participant to) {
        return to.send(answer);
    }

    /** A participant has ended. */
    void left(Participant participant) {
        for (Intent intent : participant.intents.values().toArray(new Intent[0])) {
            giveUp(intent);
        }
        ends.removeOf(participant);
    }

    /**
     * Answers what can be answered after a turn of messages, and what has waited for too long.
     *
     * @param turnEnds whether the messages that were sent before the turn have been handled
     * @param asked whether a server's question about a connection from a port is not answered yet
     */
    void settle(boolean turnEnds, IntPredicate asked) {
        if (turnEnds) {
            ends.endTurn();
        }
        for (Acceptance hopeless : ends.takeHopeless(nowNs)) {
            refuse(hopeless, Errno.ENOENT, "the client does not take part");
        }
        for (Intent late = ends.nextLate(nowNs); late != null; late = ends.nextLate(nowNs)) {
            giveUp(late);
        }
        for (Intent held = ends.nextHeld(nowNs); held != null; held = ends.nextHeld(nowNs)) {
            if (asked.test(held.port) && nowNs - held.sinceNs < HELD_ASKED_NS) {
                ends.isHeld(held, nowNs);
            } else {
                refuse(held, Errno.ENOENT, "the server has accepted the connection without this driver");
            }
        }
        for (Intent uncalled = ends.takeUncalled(nowNs); uncalled != null; uncalled = ends.takeUncalled(nowNs)) {
            answer.request(IntroductionMessage.CALLS, 0);
            send(uncalled.waitsFor);
        }
        for (Intent unseen = ends.nextUnseen(nowNs); unseen != null; unseen = ends.nextUnseen(nowNs)) {
            if (asked.test(unseen.port) && nowNs - unseen.sinceNs < UNSEEN_ASKED_NS) {
                ends.isUnseen(unseen, nowNs);
            } else {
                refuse(unseen, Errno.ENOENT, NO_OTHER_END);
            }
        }
    }

    /** Whether a client that has announced a connection will ask about it within microseconds. */
    boolean expectsQuestion(long now) {
        return ends.expectsQuestion(now);
    }

    /** Whether a connection waits only for the next turn of messages. */
    boolean isUnsettled() {
        return ends.isUnsettled();
    }

    /** Whether a client waits for a server's question that must come soon. */
    boolean waitsForQuestion() {
        return ends.waitsForQuestion();
    }

    /** Whether {@link #settle} must be called after a while. */
    boolean waitsForTime() {
        return ends.waitsForTime();
    }
}
