// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.nio.contract.Act.Kind;
import java.nio.channels.SelectionKey;
import java.util.concurrent.locks.LockSupport;

/** The steps of a game in which a call blocks, or is about to block, until something else happens. */
final class Blocked {
    private static final int INTERRUPT = 1;
    private static final int SMALL = 3000;
    /** More than any transport buffers. */
    private static final int FLOOD = 8 << 20;

    private static final long PAUSE_NS = 100_000;

    private final Game game;

    Blocked(Game game) {
        this.game = game;
    }

    private static void pause(Step step) {
        int kind = step.choice() >> 4 & 3;
        if (kind > 0) {
            LockSupport.parkNanos(PAUSE_NS * kind * kind);
        }
    }

    String read(Step step) throws Exception {
        Line line = game.line(step);
        boolean at = step.client();
        Line.End end = line.end(at);
        if (!end.blocking || line.mayRead(at) || line.end(!at).blurred || step.size() == 0) {
            return null;
        }
        Player reader = game.player(at);
        reader.begin(step.act(Kind.READ, step.size(), end.read));
        pause(step);
        String cause = line.isOpen(!at) ? byPeer(step, line, !at) : null;
        if (cause == null) {
            cause = bySelf(step, line, at);
        }
        Outcome outcome = reader.end();
        if (cause.equals("interrupt")) {
            game.release(end, at);
        }
        end.read += Math.max(0, outcome.count());
        String text = cause + ": " + (outcome.count() > 0 ? "some" : outcome.text() + outcome.count());
        if (line.toRead(at) > 0 && line.isOpen(at) && !end.inputShut) {
            text += ", " + game.drain(line, at);
        }
        return closesAtOnce(cause) ? withoutRace(text) : text;
    }

    private static boolean closesAtOnce(String cause) {
        return cause.startsWith("own close");
    }

    /** Removes a difference: the call fails whether it began before the close or after it. */
    private static String withoutRace(String text) {
        return text.contains("lose") ? "closed meanwhile" : text;
    }

    private String byPeer(Step step, Line line, boolean peer) throws Exception {
        int choice = step.choice() % 10;
        if (choice < 5 && !line.end(peer).ended) {
            Act act = turned(step, Kind.WRITE, 1 + step.choice() % SMALL, line.end(peer).sent);
            Outcome written = game.player(peer).act(act);
            line.end(peer).sent += written.count();
            return written.text() + written.count();
        }
        return switch (choice) {
            case 5 -> "peer " + game.shutOutput(step, line, peer);
            case 6 -> "peer " + game.close(step, line, peer);
            default -> null;
        };
    }

    private String bySelf(Step step, Line line, boolean at) throws Exception {
        return switch (interruptible(step, step.choice() % 3)) {
            case 0 -> "own close " + game.close(step, line, at);
            case INTERRUPT -> {
                game.player(at).interrupt();
                game.closed(line, at);
                yield "interrupt";
            }
            default -> {
                line.shutInput(at);
                yield "own "
                        + game.player(at).act(step.act(Kind.SHUT_INPUT, 0, 0)).text();
            }
        };
    }

    /** A choice, or the next one if it is an interrupt of a platform thread in a socket of java.net, which waits on. */
    private int interruptible(Step step, int choice) {
        boolean waitsOn = step.thread() == ThreadKind.PLATFORM && game.isSocket(step.client());
        return choice == INTERRUPT && waitsOn ? choice + 1 : choice;
    }

    private static Act turned(Step step, Kind kind, int size, long position) {
        // These forms work in any mode of the channel.
        return new Act(kind, step.line(), step.form() % 4, size, position, ThreadKind.PLATFORM);
    }

    /** A write that finds little room or none. The number of bytes that it takes depends on the kernel. */
    String write(Step step) throws Exception {
        Line line = game.line(step);
        boolean at = step.client();
        Line.End end = line.end(at);
        Line.End peer = line.end(!at);
        if (!end.blocking || step.size() == 0 || !line.isOpen(!at) || peer.inputShut) {
            return null;
        }
        int size = step.size();
        if (game.isSocket(at)) {
            if (!game.mayFlood(line, at)) {
                return null;
            }
            size += FLOOD;
        } else {
            String filled = game.fill(step);
            if (filled == null || !filled.equals("filled")) {
                return filled;
            }
        }
        Player writer = game.player(at);
        writer.begin(new Act(Kind.WRITE, step.line(), step.form() % 7, size, end.sent, step.thread()));
        pause(step);
        String cause;
        switch (interruptible(step, step.choice() % 8)) {
            case 0 -> cause = "own " + game.close(step, line, at);
            case INTERRUPT -> {
                writer.interrupt();
                cause = "interrupt";
            }
            case 2 -> cause = "own " + game.shutOutput(step, line, at);
            case 3 -> {
                cause = "peer " + game.close(step, line, !at);
                if (!game.isSocket(!at)) {
                    // A registered channel resets the connection when its selector has released it.
                    game.player(!at).act(new Act(Kind.SELECT, 0, 0, 0, 0, ThreadKind.PLATFORM));
                }
            }
            default -> {
                int all = (int) line.toRead(!at) + size;
                Outcome read = game.player(!at).act(turned(step, Kind.READ_SOME, all, peer.read));
                Outcome written = writer.end();
                end.sent += written.count();
                peer.read += read.count();
                return written.text() + written.count() + ", " + read.text();
            }
        }
        Outcome outcome = writer.end();
        end.blurred = true;
        if (cause.equals("interrupt")) {
            end.closed = outcome.text().contains("lose");
            end.resets = end.lingersNot;
            game.player(at).act(step.act(Kind.CLOSE, 0, 0));
            game.closed(line, at);
            game.release(end, at);
        }
        return cause;
    }

    String select(Step step) throws Exception {
        boolean at = step.client();
        Outcome now = game.select(step, 0);
        if (now.count() != 0) {
            return now.text();
        }
        Player player = game.player(at);
        player.begin(step.act(Kind.BLOCK_IN_SELECT, 0, 0));
        pause(step);
        String cause = null;
        Line line = game.line(step);
        Line.End end = line.end(at);
        boolean reads = end.interest >= 0 && (end.interest & SelectionKey.OP_READ) != 0;
        if (reads && line.isOpen(at) && line.isOpen(!at)) {
            cause = byPeer(step, line, !at);
        }
        if (cause == null && step.choice() % 2 == 0) {
            player.interrupt();
            cause = "interrupt";
        } else if (cause == null) {
            cause = "wake-up" + player.act(step.act(Kind.WAKE_UP, 0, 0)).text();
        }
        return cause + ": " + player.end().text();
    }

    /** Blocks in accept until a client comes, or the listener is closed. */
    String accept(Step step) throws Exception {
        Line line = game.line(step);
        if (line.connected) {
            return null;
        }
        game.player(false).begin(new Act(Kind.ACCEPT, step.line(), 1 + step.form() % 2, 0, 0, step.thread()));
        pause(step);
        if (step.choice() % 16 == 0) {
            String cause = game.stopListening();
            return cause + withoutRace(game.player(false).end().text());
        }
        String connected = game.connect(step);
        Outcome accepted = game.player(false).end();
        return connected + ", " + game.acceptedWaiting(accepted);
    }
}
