// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.driver.policy.PairRule;
import io.pipedevice.driver.policy.Party;
import io.pipedevice.linux.TcpConnections;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Searches the participant that has the other end of a client's connection. Belongs to the driver's thread. */
final class ServerSearch {
    private static final int MOST_QUERIES = 64;

    private final List<Participant> participants;
    private final PairRule rule;

    /**
     * Creates it.
     *
     * @param participants the owner's, which changes it
     */
    ServerSearch(List<Participant> participants, PairRule rule) {
        this.participants = participants;
        this.rule = rule;
    }

    /**
     * Searches the connection of a client, among the servers that it may connect to, and then among the others.
     *
     * @param address the client's own
     */
    Found search(Question question, InetSocketAddress address) {
        InetSocketAddress to = question.to;
        Party client = new Party(question.from.identity, address.getAddress());
        List<Participant> permitted = new ArrayList<>();
        List<Participant> others = new ArrayList<>();
        for (int i = 0; i < participants.size(); i++) {
            Participant server = participants.get(i);
            if (server.listens()) {
                boolean may =
                        rule.rule(client, new Party(server.identity, null)).isPermitted();
                (may ? permitted : others).add(server);
            }
        }
        EndSearch first = new EndSearch(address, to, question.namespace, MOST_QUERIES);
        Participant server = search(permitted, to, first);
        if (server != null) {
            return new Found(first, server, false, false);
        }
        EndSearch second = new EndSearch(address, to, question.namespace, MOST_QUERIES);
        server = search(others, to, second);
        return new Found(second, server, first.isAbsent(), first.isAbsent() && second.isAbsent());
    }

    /**
     * Searches first at the listeners of the destination. Returns the server that may have the end; null if none has.
     */
    private static Participant search(List<Participant> servers, InetSocketAddress to, EndSearch search) {
        if (to != null) {
            for (Participant each : servers) {
                each.searchAt(to, search);
                if (search.found() != TcpConnections.Stage.ABSENT) {
                    return each;
                }
            }
        }
        for (Participant each : servers) {
            each.search(search);
            if (search.found() != TcpConnections.Stage.ABSENT) {
                return each;
            }
        }
        return null;
    }

    /**
     * The result of a search.
     *
     * @param server whose listener may have the connection; null if there is none
     * @param isNotPermitted whether certainly no server has it that the client may connect to
     * @param isNowhere whether certainly no server has it
     */
    record Found(EndSearch search, Participant server, boolean isNotPermitted, boolean isNowhere) {}
}
