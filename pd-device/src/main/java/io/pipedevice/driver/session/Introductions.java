// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.driver.account.Accounts;
import io.pipedevice.driver.account.Tally;
import io.pipedevice.driver.data.Container;
import io.pipedevice.driver.data.Endpoint;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.policy.PairRule;
import io.pipedevice.driver.policy.Party;
import io.pipedevice.driver.policy.Policy;
import io.pipedevice.driver.policy.Ruling;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.TcpConnections;
import io.pipedevice.linux.TcpSequences;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Finds the processes that have the two ends of a connection of the kernel's, and introduces them to each other. What
 * proves that two sockets are the ends of one connection are the kernel's sequence numbers ({@link TcpSequences});
 * addresses prove nothing, because each namespace may give itself any. Belongs to the driver's thread; other threads
 * read the sockets ({@link SocketReaders}).
 *
 * <pre>{@literal
 *   client                     driver                      server
 *   INTEND (port)  ----------> waits for a connection
 *   connect        ------------ the kernel's TCP --------> accept
 *   CONNECTED (socket) ------> compares  <---------------- ACCEPTED (socket)
 *                  <---------- which process  -----------> which client
 *   LINK, once     ----------> makes a pair of sockets --> NEWCOMER
 * }</pre>
 *
 * <p>If the data go through the device, the client gets the number of a {@linkplain Tickets ticket} instead, with which
 * it connects on an attachment of its process. The connection then waits at the server's attachment.
 *
 * <p>A server's connection is answered at once if no intent of its client's port is open. The intents that were sent
 * before it may still be in their control connections; so it waits for the next turn of messages first.
 */
public final class Introductions {
    /** The answer to a message that is answered later, or not at all. */
    static final Fd[] NO_ANSWER = {};

    private static final System.Logger LOG = System.getLogger(Introductions.class.getName());
    private static final int MOST_INTENTS = 4096;
    private static final int MOST_WAITING = 1024;

    /** The most questions of a participant whose sockets wait to be read. Each holds a descriptor. */
    private static final int MOST_ASKED = 128;

    private static final int MOST_QUESTIONS = 64;

    private static final String NO_OTHER_END = "no program with this driver has the other end";

    private final ConnectionEnds ends = new ConnectionEnds();
    private final Tickets tickets = new Tickets();
    private final Neighbours neighbours;
    private final ShownLinks links;
    private final DirectRates rates;
    private final List<Participant> participants = new ArrayList<>();
    private final Long2ObjectHashMap<Participant> bySession = new Long2ObjectHashMap<>();
    private final ControlMessage answer = new ControlMessage();
    private final SocketReaders readers;
    private final DriverCounters counters;
    private final Accounts accounts;
    private final PairRule rule;
    private long nowNs;
    private boolean saidUnable;

    /**
     * Creates it without participants.
     *
     * @param counters of the driver
     * @param accounts of the containers
     * @param policy says which processes may connect to each other, and how much their containers may send
     * @param mostOfEach what each process may send, in bytes per second; 0 for no limit
     * @param signal wakes the driver's thread
     */
    public Introductions(DriverCounters counters, Accounts accounts, Policy policy, long mostOfEach, Runnable signal) {
        this.readers = new SocketReaders(signal);
        this.counters = counters;
        this.accounts = accounts;
        this.links = new ShownLinks(accounts);
        this.rates = new DirectRates(policy, mostOfEach);
        this.rule = policy;
        this.neighbours = new Neighbours(counters, accounts, policy);
    }

    /** Whether a message is answered later, or not at all. */
    @SuppressWarnings("ReferenceEquality") // another empty array is an answer without descriptors
    static boolean isNoAnswer(Fd[] along) {
        return along == NO_ANSWER;
    }

    /** Begins the participation of the process at the other end of a session. */
    void join(ControlSession session, ControlMessage message) throws Refusal {
        try {
            Participant joined = new Participant(session, Identity.withoutAddresses(session.socket));
            participants.add(joined);
            bySession.put(session.id, joined);
            rates.changed();
            session.account = accounts.enter(
                    joined.identity.container(), joined.identity.controlGroup().podUid(), joined.identity.pid());
        } catch (IOException e) {
            throw Refusal.exhausted(e, Errno.EINVAL, "cannot join");
        }
        session.takesPart = true;
        message.answer().value(rule.isFixed() ? ControlMessage.FIXED : 0);
    }

    /** Handles a message of a participant, as {@link ControlHandler#handle}. */
    Fd[] handle(ControlSession session, ControlMessage message, ReceivedFds fds, long now, List<UnixSocket> passed)
            throws Refusal {
        nowNs = now;
        Participant from = bySession.get(session.id);
        switch (message.type()) {
            case ControlMessage.LISTENS -> listens(from, message, fds);
            case ControlMessage.INTEND -> intend(from, message);
            case ControlMessage.CONNECTED, ControlMessage.ACCEPTED -> ask(from, message, fds);
            case ControlMessage.WITHDRAW -> withdraw(from, message);
            case ControlMessage.MADE -> made(from, message);
            case ControlMessage.SERVES -> neighbours.serves(from, message);
            case ControlMessage.FIND -> neighbours.find(from, message);
            case ControlMessage.LINK, ControlMessage.LINK_NEIGHBOUR -> {
                return link(from, message, passed);
            }
            case ControlMessage.SHOWS -> links.show(from, message, fds, now);
            case ControlMessage.HIDES -> links.hide(from, message);
            default -> throw new Refusal(Errno.EPROTO, "request of unknown type " + message.type());
        }
        return NO_ANSWER;
    }

    private void listens(Participant from, ControlMessage message, ReceivedFds fds) {
        InetSocketAddress address = message.localAddress();
        if (message.value() == 0) {
            from.closed(message.socketId());
            neighbours.closed(from, message.socketId());
        } else if (address != null) {
            from.listens(message.socketId(), address);
        }
        if (fds.count() == 1 && !from.asks()) {
            Fd socket = fds.take(0);
            try {
                from.asksWith(TcpConnections.askingWith(socket));
            } catch (LinuxException e) {
                from.session.dispose(socket);
                LOG.log(Level.DEBUG, "no socket of sock_diag: {0}", e.getMessage());
            }
        }
    }

    /**
     * Learns which socket gets a listener's connections through the device. No answer.
     *
     * @param container named by the message; null if there is none
     */
    Fd[] offers(ControlSession session, ControlMessage message, Container container) {
        Participant from = bySession.get(session.id);
        if (container != null && from.is(container.identity.pid(), container.identity.startTime())) {
            from.offers(message.socketId(), container, (int) message.argument());
        }
        return NO_ANSWER;
    }

    /** The tickets of connections that go on through the device. */
    Tickets tickets() {
        return tickets;
    }

    /** A client has connected through the device: its server gets the connection there. */
    void connected(Tickets.Ticket ticket) {
        forget(ticket.intent());
    }

    private void intend(Participant from, ControlMessage message) {
        int id = message.requestId();
        if (from.intents.size() < MOST_INTENTS
                && ends.hasRoomForIntent(message.value())
                && !from.intents.containsKey(id)) {
            Intent intent = new Intent(from, id, message.value(), nowNs);
            from.intents.put(id, intent);
            ends.add(intent);
        }
    }

    private void ask(Participant from, ControlMessage message, ReceivedFds fds) throws Refusal {
        if (fds.count() != 1) {
            throw new Refusal(Errno.EINVAL, "expected one socket");
        }
        if (from.asked.size() >= MOST_ASKED) {
            throw new Refusal(Errno.ENOBUFS, "too many questions at a time");
        }
        from.asked.add(new Question(
                from, message.type(), message.requestId(), message.socketId(), message.value(), fds.take(0)));
        readNext(from);
    }

    /** Has the sockets of a participant's questions read, unless others of its own are being read. */
    private void readNext(Participant from) {
        if (from.reads || from.asked.isEmpty()) {
            return;
        }
        List<Question> questions = List.copyOf(from.asked);
        from.asked.clear();
        from.reads = readers.read(questions);
        if (!from.reads) {
            for (Question each : questions) {
                from.session.dispose(each.socket);
                refuse(each, Errno.ENOBUFS, "other processes keep the threads of the driver");
            }
        }
    }

    private void takeAnswers() {
        for (List<Question> read = readers.next(); read != null; read = readers.next()) {
            Participant from = read.getFirst().from;
            from.reads = false;
            for (Question each : read) {
                if (from.session.open) {
                    answer(each);
                }
            }
            readNext(from);
        }
    }

    private void answer(Question question) {
        if (question.failure != null) {
            sayUnable(question.failure);
            // Not the errno itself: EACCES and EPERM would be decisions of the policy.
            int errno = Errno.isExhausted(question.failure.errno()) ? question.failure.errno() : Errno.EIO;
            refuse(question, errno, "cannot compare: " + question.failure.getMessage());
        } else if (question.type == ControlMessage.CONNECTED) {
            connected(question);
        } else {
            accepted(question);
        }
    }

    private void connected(Question question) {
        Intent intent = question.from.intents.get(question.request);
        if (intent == null || intent.isConnected() || question.address == null) {
            refuse(question, Errno.ENOBUFS, "no such intent");
            return;
        }
        intent.address = question.address;
        intent.sequences = question.sequences;
        intent.isOfOwnNamespace = question.isOfOwnNamespace;
        ends.connected(intent);
        Acceptance other = ends.otherEndOf(intent);
        if (other != null) {
            meet(intent, other);
        } else if (ends.wasRefused(intent)) {
            refuse(intent, Errno.ENOENT, NO_OTHER_END);
        } else {
            awaitOtherEnd(intent);
        }
    }

    private void accepted(Question question) {
        Participant from = question.from;
        if (from.waiting >= MOST_WAITING || !ends.hasRoomForAcceptance() || !from.hasListener(question.listener)) {
            ends.refused(question.sequences);
            refuse(question, Errno.ENOBUFS, "no such listener, or too many connections wait");
            return;
        }
        if (question.address != null) {
            from.listens(question.listener, question.address);
        }
        Acceptance acceptance = new Acceptance(
                from,
                question.request,
                question.listener,
                question.port,
                question.address,
                question.sequences,
                question.isOfOwnNamespace,
                nowNs,
                ends.turn());
        Intent other = ends.otherEndOf(acceptance);
        if (other == null) {
            ends.add(acceptance);
        } else {
            meet(other, acceptance);
        }
    }

    /** Refuses a question whose socket was not compared. */
    private void refuse(Question question, int errno, String text) {
        Intent intent = question.type == ControlMessage.CONNECTED ? question.from.intents.get(question.request) : null;
        if (intent != null) {
            forget(intent);
        }
        counters.notIntroduced.add(1);
        answer.request(question.type, question.request).fail(errno, text);
        send(question.from);
    }

    private void sayUnable(LinuxException e) {
        if (e.errno() == Errno.EPERM && !saidUnable) {
            saidUnable = true;
            LOG.log(
                    Level.WARNING,
                    "the driver needs CAP_NET_ADMIN in the network namespaces of programs, to compare the two"
                            + " ends of connections between namespaces; these stay on the kernel");
        }
    }

    /**
     * Waits for the server that may have the other end. Those with which the client may not connect are asked too, so that
     * both ends learn why; they take nothing from the budget of the others. A server that has joined this driver since
     * the client announced the connection may have accepted it before, and then does not ask.
     */
    private void awaitOtherEnd(Intent intent) {
        Participant.Search search = search(intent, true);
        if (search.found() == TcpConnections.Stage.ABSENT) {
            search = search(intent, false);
        }
        if (search.found() == TcpConnections.Stage.ABSENT) {
            refuse(intent, Errno.ENOENT, NO_OTHER_END);
        } else if (search.found() == TcpConnections.Stage.HELD
                && search.server().session.sinceNs - intent.sinceNs > 0) {
            ends.isHeld(intent, nowNs);
        }
    }

    private Participant.Search search(Intent intent, boolean permitted) {
        Party client = client(intent);
        Participant.Search search = new Participant.Search(intent.address, MOST_QUESTIONS);
        for (int i = 0; i < participants.size() && !search.isOver(); i++) {
            Participant server = participants.get(i);
            if (rule.rule(client, new Party(server.identity, null)).isPermitted() == permitted) {
                server.search(search);
            }
        }
        return search;
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
        Ruling ruling = rulingOn(intent, acceptance);
        if (!ruling.isPermitted()) {
            accounts.count(client.session.account, Tally.REFUSED_BY_POLICY);
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
        answer.request(ControlMessage.ACCEPTED, acceptance.request()).peerAddress(intent.address);
        if (direct) {
            answer.value(client.identity.pid()).argument(client.identity.startTime());
        }
        if (!send(server)) {
            refuse(intent, Errno.ENOBUFS, "the server does not read its answers");
            return;
        }
        intent.met = acceptance;
        intent.metNs = nowNs;
        ends.met(intent);
        counters.introduced.add(1);
        accounts.count(client.session.account, Tally.INTRODUCED);
        accounts.count(server.session.account, Tally.INTRODUCED);
        answer.request(ControlMessage.CONNECTED, intent.id);
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

    private Fd[] link(Participant from, ControlMessage message, List<UnixSocket> passed) throws Refusal {
        int listener = message.socketId();
        boolean near = message.type() == ControlMessage.LINK_NEIGHBOUR;
        Participant server = introduced(from, message.value(), message.argument(), listener, near);
        if (server == null) {
            throw new Refusal(Errno.EACCES, "not introduced to process " + message.value());
        }
        try {
            UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
            passed.add(pair[0]);
            passed.add(pair[1]);
            answer.request(near ? ControlMessage.NEIGHBOUR : ControlMessage.NEWCOMER, 0)
                    .value(from.identity.pid())
                    .argument(from.identity.startTime())
                    .socketId(listener);
            if (!send(server, pair[0].fd())) {
                throw new Refusal(Errno.ENOBUFS, "the server does not read its messages");
            }
            from.linked(server, listener, near);
            message.answer();
            return new Fd[] {pair[1].fd()};
        } catch (IOException e) {
            throw Refusal.exhausted(e, Errno.EIO, "cannot make a link");
        }
    }

    /** The session of a process to which another one was introduced; null if there is none. */
    private Participant introduced(Participant client, int pid, long startTime, int listener, boolean near) {
        for (int i = 0; i < participants.size(); i++) {
            Participant each = participants.get(i);
            if (each.is(pid, startTime) && client.mayLink(each, listener, near)) {
                return each;
            }
        }
        return null;
    }

    private void made(Participant from, ControlMessage message) {
        Intent intent = from.intents.get(message.requestId());
        if (intent != null && intent.met != null) {
            forget(intent);
        }
    }

    private void withdraw(Participant from, ControlMessage message) {
        Intent intent = from.intents.get(message.requestId());
        if (intent == null) {
            Acceptance acceptance = ends.takeOf(from, message.requestId());
            if (acceptance != null) {
                refuse(acceptance, Errno.ETIMEDOUT, "the driver has not answered in time");
            }
        } else {
            giveUp(intent);
        }
    }

    /** Ends an intent whose client, or time, is over. */
    private void giveUp(Intent intent) {
        if (intent.met != null) {
            answer.request(ControlMessage.RELEASED, intent.met.request());
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
        answer.request(ControlMessage.CONNECTED, intent.id).fail(errno, text);
        send(intent.client);
    }

    private void refuse(Acceptance acceptance, int errno, String text) {
        answer.request(ControlMessage.ACCEPTED, acceptance.request()).fail(errno, text);
        send(acceptance.server());
    }

    /** Sends the answer; whether that was possible. */
    private boolean send(Participant to, Fd... along) {
        return to.send(answer, along);
    }

    /** A session has ended. */
    void left(ControlSession session) {
        Participant who = bySession.remove(session.id);
        if (who == null) {
            return;
        }
        participants.remove(who);
        rates.changed();
        accounts.leave(session.account, who.identity.pid());
        neighbours.left(who);
        for (Intent intent : who.intents.values().toArray(new Intent[0])) {
            giveUp(intent);
        }
        ends.removeOf(who);
        links.left(who);
        who.asked.forEach(question -> session.dispose(question.socket));
        who.asked.clear();
        who.close();
    }

    /**
     * Takes over the limits of a policy that has changed.
     *
     * @param now in nanoseconds
     */
    public void policyChanged(long now) {
        rates.changed();
        rates.settle(participants, now);
    }

    /**
     * Answers what can be answered after a turn of messages, and what has waited for too long.
     *
     * @param now in nanoseconds
     */
    public void settle(long now) {
        nowNs = now;
        takeAnswers();
        for (Acceptance hopeless : ends.takeHopeless(now)) {
            refuse(hopeless, Errno.ENOENT, "the client does not take part");
        }
        for (Intent late = ends.nextLate(now); late != null; late = ends.nextLate(now)) {
            giveUp(late);
        }
        for (Intent held = ends.nextHeld(now); held != null; held = ends.nextHeld(now)) {
            refuse(held, Errno.ENOENT, "the server has accepted the connection without this driver");
        }
        ends.endTurn();
        rates.settle(participants, now);
        neighbours.settle();
    }

    /**
     * Whether a connection waits only for the next turn of messages.
     *
     * @return whether the driver must not sleep before that
     */
    public boolean isUnsettled() {
        return ends.isUnsettled() || neighbours.isUnsettled();
    }

    /**
     * Whether {@link #settle} must be called after a while.
     *
     * @return whether anything waits
     */
    public boolean waitsForTime() {
        return ends.waitsForTime() || rates.isOpen();
    }

    /** Closes what participants have passed, because the driver ends. */
    public void close() {
        readers.close();
        participants.forEach(Participant::close);
        participants.clear();
    }
}
