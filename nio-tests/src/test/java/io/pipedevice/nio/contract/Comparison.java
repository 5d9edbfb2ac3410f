// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.util.ArrayList;
import java.util.List;

/** Plays games on both providers and compares the results. Belongs to one thread. */
final class Comparison {
    /**
     * If a result with the JDK differs, the JDK's game is repeated up to this number of times, because the kernel's
     * results may vary.
     */
    private static final int MOST_PLAYS = 40;

    private static final SocketEnds[] ENDS = {
        SocketEnds.CLIENT, SocketEnds.CLIENT_OF_CHANNEL, SocketEnds.ACCEPTED_FROM_CHANNEL
    };

    private final Theatre theatre;
    private final Pairing rings;
    private final boolean sockets;
    private int games;
    private int steps;
    private int repeated;

    /**
     * Prepares the comparison.
     *
     * @param rings the pairing that is compared with the JDK's
     * @param sockets whether one or both of the ends are sockets of java.net
     */
    Comparison(Theatre theatre, Pairing rings, boolean sockets) {
        this.sockets = sockets;
        this.rings = rings;
        this.theatre = theatre;
    }

    void compare(long seed) throws Exception {
        List<Step> plan = sockets ? Step.planOfSockets(seed) : Step.plan(seed);
        SocketEnds ends = sockets ? ENDS[(int) Math.floorMod(seed, (long) ENDS.length)] : null;
        games++;
        List<String> ours = playOnRings(plan, ends, seed);
        List<List<String>> theirs = new ArrayList<>();
        do {
            theirs.add(play(theatre.game(Pairing.JDK_JDK, ends, plan), Pairing.JDK_JDK, plan, seed));
            if (theirs.size() == 2) {
                repeated++;
            }
        } while (firstDifference(ours, theirs) >= 0 && theirs.size() < MOST_PLAYS);
        steps += ours.size();
        int difference = firstDifference(ours, theirs);
        if (difference >= 0) {
            throw new AssertionError(report(seed, plan, ours, theirs, difference));
        }
    }

    /**
     * Plays until all connections are on rings. On busy processors a handshake may be late, so that a connection stays
     * on the kernel; such a game is not compared.
     */
    private List<String> playOnRings(List<Step> plan, SocketEnds ends, long seed) throws Exception {
        for (int i = 0; i < MOST_PLAYS; i++) {
            Game game = theatre.game(rings, ends, plan);
            List<String> seen = play(game, rings, plan, seed);
            if (game.wasOnRings()) {
                return seen;
            }
        }
        throw new AssertionError(
                "-Dpipedevice.test.seed=" + seed + ": some connection stayed on the kernel, each time");
    }

    private List<String> play(Game game, Pairing pairing, List<Step> plan, long seed) throws Exception {
        try {
            return game.play();
        } catch (Exception | AssertionError e) {
            int step = game.seen().size();
            String what = step < plan.size() ? plan.get(step).toString() : "the end";
            throw new AssertionError(
                    "-Dpipedevice.test.seed=" + seed + " on " + pairing + " at " + what + ": " + e + '\n'
                            + report(plan, List.of(game.seen())),
                    e);
        }
    }

    /** The first step whose result with one provider occurred in no game with the other; -1 if there is none. */
    private static int firstDifference(List<String> ours, List<List<String>> theirs) {
        for (int i = 0; i < ours.size(); i++) {
            String here = ours.get(i);
            int step = i;
            if (theirs.stream().noneMatch(play -> play.get(step).equals(here))) {
                return i;
            }
        }
        return -1;
    }

    private static String report(
            long seed, List<Step> plan, List<String> ours, List<List<String>> theirs, int difference) {
        List<List<String>> all = new ArrayList<>(theirs);
        all.add(0, ours);
        return "-Dpipedevice.test.seed=" + seed + " step " + difference + '\n' + report(plan, all);
    }

    private static String report(List<Step> plan, List<List<String>> plays) {
        StringBuilder report = new StringBuilder();
        for (int i = 0; i < plays.get(0).size(); i++) {
            report.append(i).append(' ').append(i < plan.size() ? plan.get(i) : "end");
            List<String> distinct = new ArrayList<>();
            for (List<String> play : plays) {
                if (!distinct.contains(play.get(i))) {
                    distinct.add(play.get(i));
                }
            }
            report.append(plays.get(0).get(i).equals("-") && distinct.size() == 1 ? "" : "\n    " + distinct)
                    .append('\n');
        }
        return report.toString();
    }

    int games() {
        return games;
    }

    @Override
    public String toString() {
        return games + " games of " + steps + " steps, " + repeated + " of them repeated";
    }
}
