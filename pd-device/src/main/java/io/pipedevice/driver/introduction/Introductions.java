// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.driver.account.Accounts;
import io.pipedevice.driver.control.ControlRequest;
import io.pipedevice.driver.control.ControlSession;
import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.control.Reply;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.policy.PairRule;
import io.pipedevice.driver.policy.Policy;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Gateways;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.TcpConnections;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.linux.TcpSequences;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import io.pipedevice.protocol.PermitPageDescriptor;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Finds the processes that have the two ends of a connection of the kernel's, and introduces them to each other. What
 * proves that two sockets are the ends of one connection are the kernel's sequence numbers ({@link TcpSequences});
 * addresses prove nothing, because each namespace may give itself any. Belongs to the driver's thread; other threads
 * read the sockets ({@link Questions}).
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
 */
public final class Introductions {
    private static final System.Logger LOG = new LazyLogger(Introductions.class).get();
    private static final LimitedLog FAILED = LimitedLog.error(Introductions.class, "error in the introductions of {0}");

    private final ConnectionMeetings meetings;
    private final Questions questions;
    private final NeighbourSearch neighbours;
    private final AccountedLinks links;
    private final DirectRates rates;
    private final List<Participant> participants = new ArrayList<>();
    private final Long2ObjectHashMap<Participant> bySession = new Long2ObjectHashMap<>();
    private final ControlMessage answer = new ControlMessage();
    private final Accounts accounts;
    private final PairRule rule;

    private final TurnEnds turnEnds = new TurnEnds(System.nanoTime());

    /** Participants for which work could not be done, because of a defect of the driver or a lack of memory. */
    private final ArrayDeque<Participant> broken = new ArrayDeque<>();

    /**
     * Creates it without participants.
     *
     * @param counters of the driver
     * @param accounts of the containers
     * @param policy says which processes may connect to each other, and how much their containers may send
     * @param mostOfEach the rate of each process, in bytes per second; 0 for no limit
     * @param signal wakes the driver's thread
     */
    public Introductions(DriverCounters counters, Accounts accounts, Policy policy, long mostOfEach, Runnable signal) {
        this.meetings = new ConnectionMeetings(participants, counters, accounts, policy);
        this.questions = new Questions(meetings, this::failed, signal);
        this.accounts = accounts;
        this.links = new AccountedLinks(accounts);
        this.rates = new DirectRates(policy, mostOfEach);
        this.rule = policy;
        this.neighbours = new NeighbourSearch(counters, accounts, policy);
        // Load the classes now: the first listener shall not make others wait for that.
        Gateways.of(0);
    }

    /**
     * Begins the participation of the process at the other end of a session.
     *
     * @param request of a process that has not attached
     * @return the answer
     * @throws Refusal if there is no memory, or the process is gone
     */
    public Reply join(ControlRequest request) throws Refusal {
        ControlSession session = request.session();
        Reply.Answer reply;
        try {
            Identity identity = Identity.withoutAddresses(session.socket);
            SocketPermits permits = SocketPermits.create();
            reply = Reply.answer(permits.fd()).closing(permits.fd());
            Participant joined = new Participant(session, identity, permits);
            participants.add(joined);
            bySession.put(session.id, joined);
            rates.changed();
            session.takesPart(accounts.enter(
                    joined.identity.container(), joined.identity.controlGroup().podUid(), joined.identity.pid()));
        } catch (IOException e) {
            throw Refusal.exhausted(e, Errno.EINVAL, "cannot join");
        }
        request.message()
                .answer()
                .value(rule.isFixed() ? IntroductionMessage.FIXED : 0)
                .argument(PermitPageDescriptor.driverLength());
        return reply;
    }

    /**
     * Handles a message of a participant.
     *
     * @param request of a process that has {@linkplain #join joined}
     * @param now in nanoseconds
     * @return the answer, or none
     * @throws Refusal if the request is invalid, or exceeds a limit
     */
    public Reply handle(ControlRequest request, long now) throws Refusal {
        meetings.at(now);
        Participant from = bySession.get(request.session().id);
        ControlMessage message = request.message();
        ReceivedFds fds = request.fds();
        switch (message.type()) {
            case IntroductionMessage.PERMITS -> permits(from, message, fds);
            case IntroductionMessage.LISTENS -> listens(from, message, fds, now);
            case IntroductionMessage.INTEND -> meetings.intend(from, message);
            case IntroductionMessage.CONNECTED, IntroductionMessage.ACCEPTED -> questions.ask(from, message, fds);
            case IntroductionMessage.WITHDRAW -> meetings.withdraw(from, message);
            case IntroductionMessage.MADE -> meetings.made(from, message);
            case IntroductionMessage.SERVES -> {
                from.servesNeighbours = true;
                neighbours.serves(from, message);
            }
            case IntroductionMessage.FIND -> neighbours.find(from, message);
            case IntroductionMessage.LINK, IntroductionMessage.LINK_NEIGHBOUR -> {
                return link(from, message);
            }
            case IntroductionMessage.SHOWS -> links.show(from, message, fds, now);
            case IntroductionMessage.HIDES -> links.hide(from, message);
            default -> throw new Refusal(Errno.EPROTO, "request of unknown type " + message.type());
        }
        return Reply.none();
    }

    private void permits(Participant from, ControlMessage message, ReceivedFds fds) throws Refusal {
        if (fds.count() != 1) {
            throw new Refusal(Errno.EINVAL, "expected one memory object");
        }
        try {
            from.permits.attach(fds.take(0), message.argument(), from.session::dispose);
        } catch (IOException e) {
            throw Refusal.exhausted(e, Errno.EINVAL, "cannot map the memory for permits");
        }
    }

    private void listens(Participant from, ControlMessage message, ReceivedFds fds, long now) {
        InetSocketAddress address = message.localAddress();
        if (message.value() == 0) {
            from.closed(message.socketId());
            neighbours.closed(from, message.socketId());
        } else if (address != null) {
            if (from.listens(message.socketId(), address, now)) {
                meetings.announced();
            }
            from.announcedNs = now;
        }
        if (fds.count() == 1 && !from.asks()) {
            Fd socket = fds.take(0);
            try {
                long namespace = TcpPort.namespace(socket);
                from.asksWith(TcpConnections.askingWith(socket), namespace);
            } catch (LinuxException e) {
                from.session.dispose(socket);
                LOG.log(Level.DEBUG, "no socket of sock_diag: {0}", e.getMessage());
            }
        }
    }

    /**
     * Learns which socket gets a listener's connections through the device.
     *
     * @param request of a process that has {@linkplain #join joined}
     * @param process named by the message; null if there is none
     * @return no answer
     */
    public Reply offers(ControlRequest request, AttachedProcess process) {
        ControlMessage message = request.message();
        Participant from = bySession.get(request.session().id);
        if (process != null && from.is(process.identity.pid(), process.identity.startTime())) {
            from.offers(message.socketId(), process, (int) message.argument());
        }
        return Reply.none();
    }

    /**
     * The connection of a number that a client has got instead of a server's name.
     *
     * @param number any value
     * @param client that has named it
     * @return the connection
     * @throws Refusal if none of this client has the number
     */
    public Ticket ticket(long number, Identity client) throws Refusal {
        return meetings.tickets().of(number, client);
    }

    /**
     * A client has connected through the device: its server gets the connection there.
     *
     * @param ticket of the connection, whose number is of no use any more
     */
    public void connected(Ticket ticket) {
        meetings.connected(ticket);
    }

    private Reply link(Participant from, ControlMessage message) throws Refusal {
        int listener = message.socketId();
        boolean near = message.type() == IntroductionMessage.LINK_NEIGHBOUR;
        Participant server = introduced(from, message.value(), message.argument(), listener, near);
        if (server == null) {
            throw new Refusal(Errno.EACCES, "not introduced to process " + message.value());
        }
        UnixSocket[] pair;
        try {
            pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        } catch (IOException e) {
            throw Refusal.exhausted(e, Errno.EIO, "cannot make a link");
        }
        boolean given = false;
        try {
            answer.request(near ? IntroductionMessage.NEIGHBOUR : IntroductionMessage.NEWCOMER, 0)
                    .value(from.identity.pid())
                    .argument(from.identity.startTime())
                    .socketId(listener);
            if (!server.send(answer, pair[0].fd())) {
                throw new Refusal(Errno.ENOBUFS, "the server does not read its messages");
            }
            from.linked(server, listener, near);
            message.answer();
            given = true;
            return Reply.answer(pair[1].fd()).closing(pair[1].fd());
        } finally {
            pair[0].fd().close();
            if (!given) {
                pair[1].fd().close();
            }
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

    /**
     * A session has ended.
     *
     * @param session of a participant, or another one
     */
    public void left(ControlSession session) {
        Participant participant = bySession.remove(session.id);
        if (participant == null) {
            return;
        }
        participants.remove(participant);
        rates.changed();
        if (session.account() != null) {
            accounts.leave(session.account(), participant.identity.pid());
        }
        neighbours.left(participant);
        meetings.left(participant);
        links.left(participant);
        questions.left(participant);
        participant.close();
        participant.permits.release();
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
     * @param complete whether the turn has handled every message that was sent before it
     * @param rounds the number of rounds of all control connections that are over
     */
    public void settle(long now, boolean complete, long rounds) {
        try {
            settleAll(now, complete, rounds);
        } catch (RuntimeException | Error e) {
            // What it was about is in no list any more, so that the next turn does the rest.
            FAILED.log(e, "a turn");
        }
    }

    private void settleAll(long now, boolean complete, long rounds) {
        meetings.at(now);
        questions.takeAnswers();
        boolean ends = turnEnds.endsNow(now, complete, rounds);
        if (ends) {
            questions.endTurn();
            neighbours.endTurn();
        }
        meetings.settle(ends, questions::isAsked);
        rates.settle(participants, now);
    }

    /** Work for a participant could not be done: it is to be disconnected, and the work for others goes on. */
    private void failed(Participant participant, Throwable e) {
        FAILED.log(e, participant.identity.pid());
        broken.add(participant);
    }

    /**
     * Names the sessions of participants for which work could not be done, once.
     *
     * @param action is to end them
     */
    public void takeBroken(Consumer<ControlSession> action) {
        for (Participant each = broken.poll(); each != null; each = broken.poll()) {
            if (each.session.isOpen()) {
                action.accept(each.session);
            }
        }
    }

    /**
     * Whether a connection waits only for the next turn of messages.
     *
     * @return whether the driver must not sleep before that
     */
    public boolean isUnsettled() {
        return questions.isUnsettled() || meetings.isUnsettled() || neighbours.isUnsettled();
    }

    /**
     * Whether a message about an announced connection is probably on its way.
     *
     * @param now in nanoseconds
     * @return whether it saves time to look for messages all the time
     */
    public boolean expectsQuestion(long now) {
        return meetings.expectsQuestion(now);
    }

    /**
     * Whether {@link #settle} must be called within some milliseconds.
     *
     * @return whether a client waits for a server's question
     */
    public boolean waitsForQuestion() {
        return meetings.waitsForQuestion();
    }

    /**
     * Whether {@link #settle} must be called after a while.
     *
     * @return whether anything waits
     */
    public boolean waitsForTime() {
        return meetings.waitsForTime() || rates.isOpen();
    }

    /** Closes what participants have passed, because the driver ends. */
    public void close() {
        questions.close();
        participants.forEach(participant -> {
            participant.close();
            participant.permits.release();
        });
        participants.clear();
        bySession.clear();
    }
}
