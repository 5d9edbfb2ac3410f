// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.nio.contract.Act.Kind;
import java.nio.channels.SelectionKey;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The steps of a {@link Game} that change keys, and those of a selector that has no time to sleep. */
final class SelectorSteps {
    /** Long enough that a selector no longer checks a connection without traffic in memory. */
    private static final long HOT_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** The number of forms of a write that a channel allows in any mode. */
    private static final int CHANNEL_FORMS = 5;

    private static final int REMOVALS = 3;
    private static final int OPS = SelectionKey.OP_READ | SelectionKey.OP_WRITE;

    private final Game game;

    SelectorSteps(Game game) {
        this.game = game;
    }

    String register(Step step) throws Exception {
        return register(game.line(step), step.client(), step.choice() & OPS);
    }

    private String register(Line line, boolean at, int ops) throws Exception {
        Outcome outcome = game.player(at).act(new Act(Kind.REGISTER, line.number, 0, ops, 0, ThreadKind.PLATFORM));
        Line.End end = line.end(at);
        end.blocking = false;
        if (outcome.text().equals("registered")) {
            end.interest = ops;
            end.wasRegistered = true;
        }
        return outcome.text();
    }

    String interest(Step step) throws Exception {
        int ops = step.choice() & OPS;
        Outcome outcome = game.player(step.client()).act(step.act(Kind.INTEREST, ops, 0));
        if (outcome.text().equals("interested")) {
            game.line(step).end(step.client()).interest = ops;
        }
        return outcome.text();
    }

    String cancel(Step step) throws Exception {
        game.line(step).end(step.client()).interest = -1;
        return game.player(step.client()).act(step.act(Kind.CANCEL, 0, 0)).text();
    }

    /**
     * One end selects again and again, because a connection is always ready, while the peer of another one writes. Each
     * selection that begins after the write has returned reports it.
     */
    String selectBusily(Step step, Line line, boolean at) throws Exception {
        Line hot = game.otherLine(step);
        boolean flows = game.flows(line, !at) && step.size() > 0 && line.mayWrite(!at, step.size());
        if (!flows || !line.isOpen(at) || !hot.isOpen(at) || !hot.isOpen(!at) || hot.end(at).ended) {
            return null;
        }
        String text = line.toRead(at) > 0 ? game.drain(line, at) + ", " : "";
        text += register(hot, at, SelectionKey.OP_WRITE) + ", " + register(line, at, SelectionKey.OP_READ);
        beginToSelectBusily(at);
        Outcome written = write(step, line, at);
        Outcome selected = endOfSelects(step, at);
        String when = selected.count() <= written.count() ? " in time" : " late";
        text += ", " + written.text() + ", selected " + selected.text() + when;
        return step.form() % 2 == 0 ? text : text + ", " + selectAfterRemoval(step, line, hot, at);
    }

    /**
     * One end selects once more after the connection that is always ready has left its selector and the peer of the
     * other one, which was quiet, has written.
     */
    private String selectAfterRemoval(Step step, Line line, Line hot, boolean at) throws Exception {
        String text = line.toRead(at) > 0 ? game.drain(line, at) + ", " : "";
        beginToSelectBusily(at);
        text += "selected " + endOfSelects(step, at).text() + ", " + remove(step, hot, at);
        text += ", " + write(step, line, at).text();
        return text + ", " + game.select(step, 0).text();
    }

    private String remove(Step step, Line hot, boolean at) throws Exception {
        return switch (step.choice() % REMOVALS) {
            case 0 -> {
                hot.end(at).interest = -1;
                yield game.player(at).act(Game.act(Kind.CANCEL, hot.number, 0)).text();
            }
            case 1 -> {
                hot.end(at).interest = 0;
                yield game.player(at)
                        .act(Game.act(Kind.INTEREST, hot.number, 0))
                        .text();
            }
            default -> game.close(step, hot, at);
        };
    }

    /** Selects for so long that connections without traffic are not checked in memory any more. */
    private void beginToSelectBusily(boolean at) throws Exception {
        // A virtual thread would occupy its carrier all the time.
        game.player(at).begin(Game.act(Kind.SELECT_BUSILY, 0, 0));
        LockSupport.parkNanos(HOT_NS);
    }

    private Outcome endOfSelects(Step step, boolean at) throws Exception {
        game.player(at).act(step.act(Kind.END_OF_SELECTS, 0, 0));
        return game.player(at).end();
    }

    /** The peer of an end writes, and the bytes arrive. */
    private Outcome write(Step step, Line line, boolean at) throws Exception {
        int form = step.form() % CHANNEL_FORMS;
        Act act = new Act(Kind.NOTED_WRITE, step.line(), form, step.size(), line.end(!at).sent, step.thread());
        Outcome written = game.player(!at).act(act);
        line.end(!at).sent += written.text().startsWith("wrote") ? step.size() : 0;
        game.settle(line, at);
        return written;
    }
}
