// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.driver.account.Accounts;
import io.pipedevice.driver.account.Tally;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.policy.PairRule;
import io.pipedevice.driver.policy.Party;
import io.pipedevice.driver.policy.Ruling;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.SocketSearch;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Finds listeners for clients of their own network namespace, by the kernel's socket. The client asks the kernel which
 * socket a connection would reach; /proc shows that the listener's process has that socket. A process may say what it
 * likes about its listeners: it is found by the sockets that it has. Belongs to the driver's thread.
 *
 * <p>A question about an unknown socket is answered after the next turn of messages: the listener's own message was
 * sent before, and may still be in its control connection.
 */
final class NeighbourSearch {
    private static final System.Logger LOG = new LazyLogger(NeighbourSearch.class).get();

    /** The most listeners of a process that clients find. */
    private static final int MOST_LISTENERS = 1024;

    private static final int MOST_WAITING = 1024;

    private final Map<Participant, Map<Integer, Listening>> ofProcess = new HashMap<>();
    private final Long2ObjectHashMap<Listening> bySocket = new Long2ObjectHashMap<>();
    private final ArrayDeque<Question> waiting = new ArrayDeque<>();
    private final ControlMessage answer = new ControlMessage();
    private final DriverCounters counters;
    private final Accounts accounts;
    private final PairRule rule;
    private long turn;

    /** A listener. Its process says which descriptor is that of its socket. */
    private record Listening(Participant server, int number, long inode, int descriptor) {
        /** Whether the process has the socket now. */
        boolean hasSocket() {
            try {
                return SocketSearch.inode(server.identity.pid(), descriptor) == inode;
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "a listener cannot be found: {0}", e.getMessage());
                return false;
            }
        }
    }

    private record Question(Participant client, int request, long inode, InetSocketAddress to, long turn) {}

    /** @param rule says which processes may connect to each other, and how */
    NeighbourSearch(DriverCounters counters, Accounts accounts, PairRule rule) {
        this.counters = counters;
        this.accounts = accounts;
        this.rule = rule;
    }

    /** Learns the socket of a listener, SERVES. */
    void serves(Participant server, ControlMessage message) {
        Listening listening = new Listening(server, message.socketId(), message.argument(), message.value());
        Map<Integer, Listening> own = ofProcess.computeIfAbsent(server, process -> new HashMap<>());
        if (own.size() < MOST_LISTENERS
                && listening.hasSocket()
                && own.putIfAbsent(listening.number, listening) == null) {
            bySocket.put(listening.inode, listening);
        }
    }

    /** Forgets a listener. */
    void closed(Participant server, int number) {
        Map<Integer, Listening> own = ofProcess.get(server);
        if (own != null) {
            forget(own.remove(number));
        }
    }

    /** Forgets a process. */
    void left(Participant participant) {
        Map<Integer, Listening> own = ofProcess.remove(participant);
        if (own != null) {
            own.values().forEach(this::forget);
        }
        waiting.removeIf(question -> question.client == participant);
    }

    private void forget(Listening ended) {
        if (ended != null) {
            bySocket.remove(ended.inode, ended);
        }
    }

    /** Answers FIND: now, or after the next turn of messages. */
    void find(Participant client, ControlMessage message) {
        Question question = new Question(client, message.requestId(), message.argument(), message.localAddress(), turn);
        if (listenerOf(question) != null || waiting.size() >= MOST_WAITING) {
            answer(question);
        } else {
            waiting.add(question);
        }
    }

    /** The listener that a client asks for; null if there is none in its network namespace. */
    private Listening listenerOf(Question question) {
        Listening found = bySocket.get(question.inode);
        return found != null
                        && found.server.identity.networkNamespace() == question.client.identity.networkNamespace()
                        && found.hasSocket()
                ? found
                : null;
    }

    private void answer(Question question) {
        Participant client = question.client;
        Listening found = question.to == null ? null : listenerOf(question);
        answer.request(IntroductionMessage.FIND, question.request);
        if (found == null) {
            client.send(answer.fail(Errno.ENOENT, "no program with this driver has that socket"));
            return;
        }
        Participant server = found.server;
        Ruling ruling =
                rule.rule(new Party(client.identity, null), new Party(server.identity, question.to.getAddress()));
        if (!ruling.isPermitted()) {
            counters.notIntroduced.add(1);
            accounts.count(client.session.account(), Tally.REFUSED_BY_POLICY);
            client.send(answer.fail(ruling.errno(), ruling.reason()));
            return;
        }
        if (ruling.path() == DataPath.DIRECT) {
            counters.introduced.add(1);
            accounts.count(client.session.account(), Tally.INTRODUCED);
            accounts.count(server.session.account(), Tally.INTRODUCED);
            client.permit(server, found.number, true);
            answer.value(server.identity.pid())
                    .argument(server.identity.startTime())
                    .socketId(found.number);
        }
        client.send(answer);
    }

    /** Answers the questions that have waited for a turn of messages, which has ended now. */
    void endTurn() {
        while (!waiting.isEmpty() && waiting.getFirst().turn < turn) {
            answer(waiting.removeFirst());
        }
        turn++;
    }

    /** Whether a question waits for the next turn of messages. */
    boolean isUnsettled() {
        return !waiting.isEmpty();
    }
}
