// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.nio.contract.Act.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Plays a plan on the two ends of some connections, step by step. Steps that would wait for ever, or whose result TCP
 * leaves open, are skipped; if only a part of the result is open, that part is left out. So the remaining results are
 * the same on every provider.
 */
final class Game {
    private static final Step LAST = new Step(Step.Kind.CLOSE, true, 0, 19_000, 0, 0, ThreadKind.PLATFORM);
    private static final String RESET = "SocketException: Connection reset";

    private final LocalPlayer client;
    private final Player server;
    private final List<Step> plan;
    private final Line[] lines = new Line[Step.LINES];
    private final List<String> seen = new ArrayList<>();
    private final Blocked blocked = new Blocked(this);
    private final SelectorSteps selector = new SelectorSteps(this);

    /** Connections that are not accepted yet, in order. */
    private final ArrayDeque<Line> waiting = new ArrayDeque<>();

    /** What the ends are; null if both are channels. */
    private final SocketEnds ends;

    private final boolean acceptsAtOnce;
    private long port;
    private boolean listening;

    /**
     * Prepares a game.
     *
     * @param ends what the ends are; null if both are channels
     * @param acceptsAtOnce whether the server accepts while the client connects, and not later
     */
    Game(LocalPlayer client, Player server, List<Step> plan, SocketEnds ends, boolean acceptsAtOnce) {
        this.ends = ends;
        this.acceptsAtOnce = acceptsAtOnce;
        this.client = client;
        this.server = server;
        this.plan = plan;
        for (int i = 0; i < lines.length; i++) {
            lines[i] = new Line(i);
        }
    }

    /** Plays to the end; returns the results that the programs at both ends saw at each step. */
    List<String> play() throws Exception {
        try {
            listen();
            for (Step step : plan) {
                seen.add(play(step));
            }
            while (!waiting.isEmpty()) {
                seen.add(accept(LAST));
            }
            for (Line line : lines) {
                seen.add(finish(line));
            }
        } finally {
            client.leave();
            server.leave();
        }
        return seen;
    }

    private void listen() throws Exception {
        port = server.act(act(Kind.LISTEN, 0, 0)).count();
        listening = true;
    }

    /** The results until now. */
    List<String> seen() {
        return seen;
    }

    /** Whether all connections were on rings. */
    boolean wasOnRings() {
        return client.wasOnRings();
    }

    Player player(boolean ofClient) {
        return ofClient ? client : server;
    }

    /** Whether an end is a socket of java.net. */
    boolean isSocket(boolean ofClient) {
        return ends != null && (ofClient ? ends.clientIsSocket() : ends.serverIsSocket());
    }

    Line line(Step step) {
        return lines[step.line()];
    }

    /** Another line than that of a step. */
    Line otherLine(Step step) {
        return lines[(step.line() + 1 + step.choice() % (Step.LINES - 1)) % Step.LINES];
    }

    static Act act(Kind kind, int line, int form) {
        return new Act(kind, line, form, 0, 0, ThreadKind.PLATFORM);
    }

    private String play(Step step) throws Exception {
        Line line = line(step);
        boolean at = step.client();
        String text = switch (step.kind()) {
            case CONNECT -> acceptsAtOnce ? connectAndAccept(step) : connect(step);
            case ACCEPT -> accept(step);
            case STOP_LISTENING -> stopListening();
            case SELECT -> isQuiet() ? select(step, step.form()).text() : null;
            case BLOCKED_ACCEPT -> listening && waiting.isEmpty() ? blocked.accept(step) : null;
            case BLOCKED_SELECT -> isQuiet() ? blocked.select(step) : null;
            case BUSY_SELECT -> isQuiet() ? selector.selectBusily(step, line, at) : null;
            default -> line.isOpen(at) ? playOn(step, line, at) : null;
        };
        settle(line(step));
        return text == null ? "-" : text;
    }

    private String playOn(Step step, Line line, boolean at) throws Exception {
        Line.End end = line.end(at);
        Player player = player(at);
        return switch (step.kind()) {
            case WRITE -> mayWrite(line, at, step.size()) ? write(step, Kind.WRITE) : null;
            case READ -> !end.blocking || line.mayRead(at) ? read(step, Kind.READ) : null;
            case TIMED_READ -> line.end(!at).blurred ? null : read(step, Kind.TIMED_READ);
            case SEND_FILE -> maySend(line, at, step.size()) ? write(step, Kind.SEND_FILE) : null;
            case RECEIVE_FILE -> receive(step, line, at);
            case INTERRUPTED -> interrupted(step);
            case STREAM -> stream(step);
            case EXCHANGE -> exchange(step);
            case FILL -> fill(step);
            case DRAIN -> !end.inputShut && line.toRead(at) > 0 && !line.end(!at).blurred ? drain(line, at) : null;
            case READ_TO_END -> readToEnd(step, line, at);
            case AVAILABLE -> line.isExact(at) ? described(player.act(step.act(Kind.AVAILABLE, 0, 0)), true) : null;
            case LOOK -> player.act(step.act(Kind.LOOK, 0, 0)).text();
            case SHUT_INPUT -> shutInput(step);
            case SHUT_OUTPUT -> shutOutput(step, line, at);
            case LINGER -> linger(step);
            case CLOSE -> close(step, line, at);
            case MODE -> mode(step);
            case REGISTER -> selector.register(step);
            case INTEREST -> selector.interest(step);
            case CANCEL -> selector.cancel(step);
            case BLOCKED_READ -> blocked.read(step);
            case BLOCKED_WRITE -> blocked.write(step);
            default -> throw new AssertionError(step);
        };
    }

    private static String described(Outcome outcome, boolean exact) {
        return exact ? outcome.text() + " " + outcome.count() : outcome.text();
    }

    String connect(Step step) throws Exception {
        if (line(step).isOver()) {
            lines[step.line()] = new Line(step.line());
        }
        Line line = line(step);
        if (line.connected) {
            return null;
        }
        listenAgain(step);
        Outcome outcome = client.act(step.act(Kind.CONNECT, 0, port));
        line.connected = outcome.text().startsWith("connected");
        line.client.blocking = isSocket(true) || step.form() % 7 != 2;
        line.port = outcome.count();
        if (line.connected) {
            waiting.add(line);
        }
        return outcome.text();
    }

    private void listenAgain(Step step) throws Exception {
        if (!listening && step.choice() % 2 == 0) {
            listen();
        }
    }

    private String connectAndAccept(Step step) throws Exception {
        if (!line(step).isOver() && line(step).connected) {
            return null;
        }
        listenAgain(step);
        if (!listening) {
            return connect(step);
        }
        server.begin(new Act(Kind.ACCEPT, step.line(), step.choice(), 0, 0, step.thread()));
        String connected = connect(step);
        return connected + ", " + acceptedWaiting(server.end());
    }

    private String accept(Step step) throws Exception {
        Line line = waiting.poll();
        if (line == null) {
            return null;
        }
        return accepted(line, server.act(new Act(Kind.ACCEPT, line.number, step.form(), 0, 0, step.thread())));
    }

    /** Handles the accept of the only waiting connection. */
    String acceptedWaiting(Outcome outcome) {
        return accepted(waiting.remove(), outcome);
    }

    private static String accepted(Line line, Outcome outcome) {
        line.accepted = outcome.text().startsWith("accepted");
        return outcome.text() + (line.port == outcome.count() ? "" : " from another port");
    }

    String stopListening() throws Exception {
        if (!listening) {
            return null;
        }
        listening = false;
        for (Line line : waiting) {
            line.server.closed = true;
            line.server.resets = true;
        }
        waiting.clear();
        return server.act(act(Kind.STOP_LISTENING, 0, 0)).text();
    }

    String write(Step step, Kind kind) throws Exception {
        Line.End end = line(step).end(step.client());
        Outcome outcome = player(step.client()).act(step.act(kind, step.size(), end.sent));
        end.sent += outcome.count();
        return described(outcome, true);
    }

    private String read(Step step, Kind kind) throws Exception {
        return read(step, kind, step.size());
    }

    /**
     * Transfers into a file. In blocking mode, not more than is there: that would wait for the rest, or for the end.
     */
    private String receive(Step step, Line line, boolean at) throws Exception {
        Line.End end = line.end(at);
        boolean waits = end.blocking && !end.inputShut && !line.end(!at).ended && !line.end(!at).closed;
        if (!line.isExact(at) || (waits && line.toRead(at) == 0)) {
            return null;
        }
        int size = waits ? (int) Math.min(step.size(), line.toRead(at)) : step.size();
        return read(step, Kind.RECEIVE_FILE, size);
    }

    private String read(Step step, Kind kind, int size) throws Exception {
        Line line = line(step);
        Line.End end = line.end(step.client());
        boolean exact = line.isExact(step.client());
        boolean mayMissReset = line.mayMissReset(step.client());
        Outcome outcome = player(step.client()).act(step.act(kind, size, end.read));
        end.read += Math.max(0, outcome.count());
        boolean usual = outcome.text().isEmpty() || outcome.text().equals(RESET);
        return mayMissReset && usual ? "something, the end or a reset" : described(outcome, exact);
    }

    private boolean mayWrite(Line line, boolean at, int size) {
        Line.End end = line.end(at);
        // A write to a JDK's socket whose output is shut reports a reset, and then no read reports it.
        boolean mayReport = isSocket(at) && end.ended && (line.end(!at).resets || end.inputShut);
        return line.mayWrite(at, size) && !mayReport;
    }

    private boolean maySend(Line line, boolean at, int size) {
        return mayWrite(line, at, size) && (OlderJdk.SENDS_FILES_AS_LATER || !line.end(at).ended);
    }

    private String interrupted(Step step) throws Exception {
        Line line = line(step);
        boolean at = step.client();
        boolean reads = step.form() % 2 == 0;
        if (!line.isExact(at) || !mayWrite(line, at, step.size()) || (reads && isSocket(at) && !line.mayRead(at))) {
            return null;
        }
        Line.End end = line.end(at);
        Outcome outcome = player(at).act(step.act(Kind.INTERRUPTED, step.size(), reads ? end.read : end.sent));
        if (reads) {
            end.read += Math.max(0, outcome.count());
        } else {
            end.sent += outcome.count();
        }
        if (outcome.text().contains("losedByInterrupt") || outcome.text().contains("losed by interrupt")) {
            closed(line, at);
            release(end, at);
        }
        return described(outcome, true);
    }

    boolean flows(Line line, boolean from) {
        return line.isOpen(from)
                && line.isOpen(!from)
                && !line.end(from).ended
                && !line.end(from).blurred
                && !line.end(!from).inputShut;
    }

    private String stream(Step step) throws Exception {
        Line line = line(step);
        boolean from = step.client();
        if (!flows(line, from)) {
            return null;
        }
        int all = (int) line.toRead(!from) + step.size();
        player(!from).begin(turned(step, Kind.READ_SOME, all, line.end(!from).read));
        Outcome written = player(from).act(step.act(Kind.WRITE_ALL, step.size(), line.end(from).sent));
        Outcome read = player(!from).end();
        line.end(from).sent += written.count();
        line.end(!from).read += read.count();
        return described(written, true) + ", " + read.text();
    }

    private static Act turned(Step step, Kind kind, int size, long position) {
        return new Act(kind, step.line(), step.choice(), size, position, step.thread());
    }

    private String exchange(Step step) throws Exception {
        Line line = line(step);
        boolean one = step.client();
        if (!flows(line, one) || !flows(line, !one)) {
            return null;
        }
        player(one).begin(step.act(Kind.READ_SOME, (int) line.toRead(one) + step.size(), line.end(one).read));
        player(!one).begin(turned(step, Kind.READ_SOME, (int) line.toRead(!one) + step.size(), line.end(!one).read));
        player(one).begin(step.act(Kind.WRITE_ALL, step.size(), line.end(one).sent));
        Outcome written = player(!one).act(turned(step, Kind.WRITE_ALL, step.size(), line.end(!one).sent));
        Outcome oneRead = player(one).end();
        Outcome otherRead = player(!one).end();
        Outcome oneWritten = player(one).end();
        line.end(one).sent += oneWritten.count();
        line.end(!one).sent += written.count();
        line.end(one).read += oneRead.count();
        line.end(!one).read += otherRead.count();
        return described(written, true) + ", " + described(oneWritten, true) + ", " + oneRead.text() + ", "
                + otherRead.text();
    }

    /** Whether an end may write more than there is room for. */
    boolean mayFlood(Line line, boolean at) {
        // The number of bytes that find room until a reset answers them depends on the kernel's timers.
        boolean inVain = line.end(!at).closed || (line.end(!at).inputShut && line.end(!at).ended);
        return !line.end(at).ended && !line.end(at).blurred && !inVain;
    }

    String fill(Step step) throws Exception {
        Line line = line(step);
        boolean at = step.client();
        if (!mayFlood(line, at)) {
            return null;
        }
        Outcome outcome = player(at).act(step.act(Kind.FILL, 0, line.end(at).sent));
        line.end(at).sent += outcome.count();
        return outcome.text();
    }

    /** Reads all bytes that are under way. */
    String drain(Line line, boolean at) throws Exception {
        int all = (int) line.toRead(at);
        return readMuch(line, at, new Act(Kind.READ_SOME, line.number, 19_000, all, 0, ThreadKind.PLATFORM));
    }

    private String readToEnd(Step step, Line line, boolean at) throws Exception {
        Line.End other = line.end(!at);
        if (line.end(at).inputShut || !(other.ended || other.closed)) {
            return null;
        }
        return readMuch(line, at, new Act(Kind.READ_TO_END, line.number, step.form(), 0, 0, step.thread()));
    }

    private String readMuch(Line line, boolean at, Act act) throws Exception {
        Line.End end = line.end(at);
        long all = line.toRead(at);
        boolean exact = line.isExact(at);
        Outcome outcome = player(at).act(act.from(end.read));
        end.read += outcome.count();
        if (!exact && (line.end(!at).blurred || line.end(!at).resets)) {
            // A reset may overtake bytes, or an end, that have not arrived.
            return line.end(!at).resets ? "until it ends" : outcome.text();
        }
        if (end.blurred && line.end(!at).resets) {
            // If a reset may have been reported to a write, it is perhaps not reported to a read.
            return outcome.count() == all ? "everything, until it ends" : described(outcome, exact);
        }
        return outcome.count() == all ? "everything, " + outcome.text() : described(outcome, exact);
    }

    private String shutInput(Step step) throws Exception {
        Outcome outcome = player(step.client()).act(step.act(Kind.SHUT_INPUT, 0, 0));
        line(step).shutInput(step.client());
        return outcome.text();
    }

    String shutOutput(Step step, Line line, boolean at) throws Exception {
        Outcome outcome = player(at).act(new Act(Kind.SHUT_OUTPUT, line.number, step.form(), 0, 0, step.thread()));
        line.shutOutput(at);
        return outcome.text();
    }

    private String linger(Step step) throws Exception {
        int seconds = step.choice() % 3 - 1;
        Line.End end = line(step).end(step.client());
        end.lingersNot = seconds == 0;
        return player(step.client()).act(step.act(Kind.LINGER, seconds, 0)).text();
    }

    String close(Step step, Line line, boolean at) throws Exception {
        Line.End end = line.end(at);
        boolean late = end.wasRegistered && end.lingersNot;
        Outcome outcome = player(at).act(new Act(Kind.CLOSE, line.number, step.form(), 0, 0, step.thread()));
        closed(line, at);
        // The peer is notified when the selector has released the channel.
        if (late) {
            return outcome.text() + ", "
                    + player(at).act(act(Kind.SELECT, 0, 5)).text();
        }
        release(end, at);
        return outcome.text();
    }

    /**
     * Makes the selector release a channel that was closed in blocking mode while it still had the cancelled key:
     * before that the JDK does not notify the peer.
     */
    void release(Line.End end, boolean at) throws Exception {
        if (end.wasRegistered && end.blocking) {
            player(at).act(act(Kind.SELECT, 0, 0));
        }
    }

    void closed(Line line, boolean at) {
        Line.End end = line.end(at);
        end.closed = true;
        end.interest = -1;
        boolean unread = line.toRead(at) > 0 || line.end(!at).blurred;
        // A socket ends its output first. Before an end that has not arrived, the reset overtakes it.
        end.resets = end.lingersNot || (unread && !(isSocket(at) && line.isExact(!at)));
        // It is unknown how many of the bytes that are still under way arrive.
        end.blurred |= end.resets && !line.isExact(!at);
    }

    private String mode(Step step) throws Exception {
        Outcome outcome = player(step.client()).act(step.act(Kind.MODE, 0, 0));
        if (outcome.text().startsWith("blocking")) {
            line(step).end(step.client()).blocking = outcome.text().endsWith("true");
        }
        return outcome.text();
    }

    /** Whether all ends are known to have received everything and to have room. */
    private boolean isQuiet() {
        for (Line line : lines) {
            if (!line.isExact(true) || !line.isExact(false)) {
                return false;
            }
        }
        return true;
    }

    Outcome select(Step step, int form) throws Exception {
        return player(step.client()).act(new Act(Kind.SELECT, 0, form, 0, 0, step.thread()));
    }

    /** Waits until everything that was sent has arrived. */
    private void settle(Line line) throws Exception {
        settle(line, true);
        settle(line, false);
    }

    void settle(Line line, boolean at) throws Exception {
        if (line.isOpen(at)) {
            Line.End other = line.end(!at);
            int ends = (other.ended || other.closed ? Arrival.END : 0)
                    | (other.closed && other.resets ? Arrival.RESET : 0);
            int bytes = line.isExact(at) ? (int) line.toRead(at) : -1;
            player(at).act(new Act(Kind.SETTLE, line.number, ends, bytes, 0, ThreadKind.PLATFORM));
        }
    }

    /** Reads to the end at both ends, and closes. */
    private String finish(Line line) throws Exception {
        StringBuilder text = new StringBuilder();
        for (boolean at : new boolean[] {true, false}) {
            if (line.isOpen(at)) {
                text.append(", ").append(shutOutput(LAST, line, at));
            }
            if (line.isOpen(!at)) {
                text.append(", ").append(readToEnd(LAST, line, !at));
            }
        }
        for (boolean at : new boolean[] {false, true}) {
            if (line.isOpen(at)) {
                text.append(", ").append(close(LAST, line, at));
            }
        }
        return text.toString();
    }
}
