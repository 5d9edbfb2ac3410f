// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.agrona.collections.Int2IntCounterMap;

/**
 * The questions of participants about connections, until other threads have read their sockets ({@link
 * SocketReaders}). Belongs to the driver's thread; closed by its owner.
 */
final class Questions implements AutoCloseable {
    private static final System.Logger LOG = new LazyLogger(Questions.class).get();

    /** The most questions of a participant whose sockets wait to be read. Each holds a descriptor. */
    private static final int MOST_ASKED = 128;

    private static final long MOST_DESCRIPTORS = 4096;

    /** The reciprocal of the share of this process's descriptors that all questions may hold. */
    private static final int SHARE_OF_DESCRIPTORS = 8;

    private final ConnectionMeetings meetings;
    private final BiConsumer<Participant, Throwable> failed;
    private final SocketReaders readers;
    private final Runnable signal;

    /** One for each socket that was received and is not closed. */
    private final ContainerShares descriptors = new ContainerShares(mostDescriptors());

    /** The processes whose sockets other threads have closed; one entry for each. */
    private final ConcurrentLinkedQueue<Identity> closed = new ConcurrentLinkedQueue<>();

    /** The number of servers' questions by the ports of their clients. */
    private final Int2IntCounterMap accepted = new Int2IntCounterMap(0);

    /** Clients' questions of this turn of messages that have to wait for servers' questions. */
    private List<Unmet> arrived = new ArrayList<>();

    /** Those of the turn before: a server's question that was sent before them has been received meanwhile. */
    private List<Unmet> waiting = new ArrayList<>();

    private boolean saidUnable;

    /**
     * A question about a connection of which no server has asked.
     *
     * @param client the client's address
     * @param isRead whether its socket was read; else the connection seems to lead out of the host
     * @param announcements how many addresses of listeners were announced when it was not found there
     */
    private record Unmet(Question question, InetSocketAddress client, boolean isRead, long announcements) {
        static Unmet outward(Question question, InetSocketAddress client, long announcements) {
            return new Unmet(question, client, false, announcements);
        }

        static Unmet read(Question question) {
            return new Unmet(question, question.address, true, 0);
        }
    }

    /**
     * Creates it without questions.
     *
     * @param meetings answers them
     * @param failed is informed of a participant for which work could not be done
     * @param signal wakes the driver's thread
     */
    Questions(ConnectionMeetings meetings, BiConsumer<Participant, Throwable> failed, Runnable signal) {
        this.meetings = meetings;
        this.failed = failed;
        this.readers = new SocketReaders(signal);
        this.signal = signal;
    }

    private static long mostDescriptors() {
        try {
            return Math.min(MOST_DESCRIPTORS, ProcessFacts.openFilesLimit(0) / SHARE_OF_DESCRIPTORS);
        } catch (IOException e) {
            throw new AssertionError("the own process exists", e);
        }
    }

    void ask(Participant from, ControlMessage message, ReceivedFds fds) throws Refusal {
        if (fds.count() != 1) {
            throw new Refusal(Errno.EINVAL, "expected one socket");
        }
        if (from.asked.size() + from.outward >= MOST_ASKED) {
            throw new Refusal(Errno.ENOBUFS, "too many questions at a time");
        }
        if (!from.permits.has(message.argument())) {
            throw new Refusal(Errno.EINVAL, "no permit to read the socket");
        }
        if (!descriptors.take(from.identity)) {
            throw new Refusal(
                    Errno.ENOBUFS, "the container has used its share of the sockets that the driver compares");
        }
        Question question = new Question(
                from,
                message.type(),
                message.requestId(),
                message.socketId(),
                message.value(),
                message.peerAddress(),
                (int) message.argument(),
                fds.take(0));
        if (message.type() == IntroductionMessage.ACCEPTED) {
            accepted.incrementAndGet(message.value());
        } else if (seemsOutward(question, message.localAddress())) {
            from.outward++;
            arrived.add(Unmet.outward(question, message.localAddress(), meetings.announcements()));
            return;
        }
        read(question);
    }

    private boolean seemsOutward(Question question, InetSocketAddress address) {
        return address != null && meetings.seemsOutward(question, address);
    }

    /** Decides about the connections of which no server has asked during a whole turn of messages. */
    void endTurn() {
        for (Unmet each : waiting) {
            try {
                decide(each);
            } catch (RuntimeException | Error e) {
                failed.accept(each.question.from, e);
            }
        }
        waiting.clear();
        List<Unmet> cleared = waiting;
        waiting = arrived;
        arrived = cleared;
    }

    private void decide(Unmet unmet) {
        Question question = unmet.question;
        boolean servers = isAsked(unmet.client.getPort());
        if (unmet.isRead) {
            meetings.awaitOtherEnd(question, servers);
            return;
        }
        question.from.outward--;
        if (question.from.session.isOpen()) {
            boolean isOutward =
                    unmet.announcements == meetings.announcements() || meetings.seemsOutward(question, unmet.client);
            question.isAnswered = isOutward && !servers && meetings.refuseOutward(question);
            read(question);
        } else {
            drop(question);
        }
    }

    /** Whether a server's question about a connection from a port is not answered yet. */
    boolean isAsked(int port) {
        return accepted.get(port) > 0;
    }

    /** Whether a question waits only for the next turn of messages. */
    boolean isUnsettled() {
        return !waiting.isEmpty() || !arrived.isEmpty();
    }

    private void read(Question question) {
        question.from.asked.add(question);
        readNext(question.from);
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
                drop(each);
                if (!each.isAnswered) {
                    meetings.refuse(each, Errno.ENOBUFS, "other processes keep the threads of the driver");
                }
            }
        }
    }

    /** Answers the questions whose sockets have been read. */
    void takeAnswers() {
        for (Identity each = closed.poll(); each != null; each = closed.poll()) {
            descriptors.give(each);
        }
        for (List<Question> read = readers.next(); read != null; read = readers.next()) {
            Participant from = read.getFirst().from;
            try {
                takeAnswers(from, read);
            } catch (RuntimeException | Error e) {
                failed.accept(from, e);
            }
        }
    }

    private void takeAnswers(Participant from, List<Question> read) {
        from.reads = false;
        read.forEach(this::forget);
        read.forEach(this::close);
        for (Question each : read) {
            if (from.session.isOpen() && !each.isAnswered) {
                answer(each);
            }
        }
        readNext(from);
    }

    private void answer(Question question) {
        if (question.failure != null) {
            sayUnable(question.failure);
            // Not the errno itself: EACCES and EPERM would be decisions of the policy.
            int errno = Errno.isExhausted(question.failure.errno()) ? question.failure.errno() : Errno.EIO;
            meetings.refuse(question, errno, "cannot compare: " + question.failure.getMessage());
        } else if (question.type == IntroductionMessage.CONNECTED) {
            if (!meetings.connected(question)) {
                arrived.add(Unmet.read(question));
            }
        } else {
            meetings.accepted(question);
        }
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

    /** A participant has ended. */
    void left(Participant participant) {
        participant.asked.forEach(this::drop);
        participant.asked.clear();
    }

    /** Drops a question whose socket was not read. */
    private void drop(Question question) {
        close(question);
        forget(question);
    }

    /** Closes a question's socket, unless that was done. Its process can only delay others of its own container. */
    private void close(Question question) {
        Identity process = question.from.identity;
        if (question.isClosed) {
            descriptors.give(process);
        } else {
            question.from.session.dispose(question.socket, new Asker(process.uid(), process.container()), () -> {
                closed.add(process);
                signal.run();
            });
        }
    }

    /** Whose sockets are closed in turn. */
    private record Asker(int uid, String container) {}

    private void forget(Question question) {
        if (question.type == IntroductionMessage.ACCEPTED) {
            accepted.decrementAndGet(question.port);
        }
    }

    @Override
    public void close() {
        readers.close();
    }
}
