// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.peer.protocol.LinkPositions;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reads the memories of direct links, one after the other: all of them in a round, which begins once in a second while
 * data move, and less often while none do. A turn takes a bounded time, however many links and slots there are. A link
 * that has ended is read once more. Belongs to the driver's thread.
 */
final class LinkMeters {
    private final LimitedLog allEnded =
            LimitedLog.warning(LinkMeters.class, "all direct links of a process are ended: {0}");
    private final LimitedLog oneEnded = LimitedLog.warning(LinkMeters.class, "the direct link of {0} is ended: {1}");
    private static final long SHORTEST_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(8);
    private static final long TURN_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /** How long the end of the driver may wait for links that have ended before it. */
    private static final long FINISH_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final List<LinkMeter> meters = new ArrayList<>();

    /** All meters, by the memories that they read. Two processes may show the same memory. */
    private final Map<Long, List<LinkMeter>> byMemory = new HashMap<>();

    /** Links that have ended. They are read before others. */
    private final ArrayDeque<LinkMeter> ended = new ArrayDeque<>();

    /** The counts of an earlier driver for links that were not shown to this driver. */
    private final Map<LinkMark.Key, LinkMark> marks = new HashMap<>();

    private final LinkPositions positions = new LinkPositions();

    /** When the earlier driver wrote the marks, by System.nanoTime(). */
    private final long markedNs;

    /** The meter whose memory is being read; null if none is. */
    private LinkMeter reading;

    /** Whether that link had ended before its memory was read. */
    private boolean isLast;

    /** The next meter of the round. */
    private int next;

    /** Whether the memory that was read last is that of a link that has ended: then another one follows. */
    private boolean endedWasLast;

    private boolean inRound;
    private long roundNs = System.nanoTime();
    private long intervalNs = SHORTEST_NS;
    private boolean moved;

    /** When this turn began: the time that the caller says, and System.nanoTime(). */
    private long turnNs;

    private long beginNs;

    /** Whether an account has changed in this turn. */
    private boolean changed;

    /**
     * Goes on where an earlier driver has stopped.
     *
     * @param restored what it has counted; processes that have ended since are forgotten
     * @param seconds since it has written that down
     */
    LinkMeters(List<LinkMark> restored, long seconds) {
        markedNs = System.nanoTime() - TimeUnit.SECONDS.toNanos(Math.max(seconds, 0));
        restored.stream().filter(LinkMeters::isAlive).forEach(mark -> marks.put(mark.key(), mark));
    }

    private static boolean isAlive(LinkMark mark) {
        try {
            return ProcessFacts.startTime(mark.key().pid()) == mark.key().startTime();
        } catch (IOException e) {
            return false;
        }
    }

    /** Begins to count a link. */
    LinkMeter show(ShownLink link, Account account, long nowNs) {
        LinkMeter earlier = withKey(link.key());
        LinkMark mark = earlier == null ? marks.remove(link.key()) : earlier.supersede();
        LinkMeter meter = new LinkMeter(link, account, mark, mark == null || earlier != null ? nowNs : markedNs);
        byMemory.getOrDefault(link.peer(), List.of()).stream()
                .filter(each -> each.isAlone() && each.isOtherEndOf(meter))
                .findFirst()
                .ifPresent(meter::meet);
        byMemory.computeIfAbsent(link.key().memory(), key -> new ArrayList<>(1)).add(meter);
        meters.add(meter);
        intervalNs = SHORTEST_NS;
        return meter;
    }

    /** The meter of a memory that its process has shown in another session; null if there is none. */
    private LinkMeter withKey(LinkMark.Key key) {
        return byMemory.getOrDefault(key.memory(), List.of()).stream()
                .filter(each -> !each.isCut() && each.link.key().equals(key))
                .findFirst()
                .orElse(null);
    }

    /** A link has ended. It is closed after it was read for the last time. */
    void hide(LinkMeter meter) {
        if (meter.end()) {
            ended.add(meter);
        }
    }

    /** The counts of the links that have not ended. */
    List<LinkMark> marks() {
        List<LinkMark> all = new ArrayList<>();
        meters.stream().filter(LinkMeter::isMarked).map(LinkMeter::mark).forEach(all::add);
        marks.values().stream().limit(AccountFile.MOST_LINKS - all.size()).forEach(all::add);
        return all;
    }

    boolean isEmpty() {
        return meters.isEmpty();
    }

    /**
     * Reads, if it is time for that, for a while.
     *
     * @param closed gets the meters of links that have ended, after they were read
     * @return whether an account may have changed
     */
    boolean turn(long nowNs, Consumer<LinkMeter> closed) {
        if (!inRound && nowNs - roundNs >= intervalNs && !meters.isEmpty()) {
            inRound = true;
            next = 0;
            moved = false;
            roundNs = nowNs;
        }
        changed = false;
        startTurn(nowNs);
        while (isBusy() && System.nanoTime() - beginNs < TURN_NS) {
            step(closed);
        }
        return changed;
    }

    private void startTurn(long nowNs) {
        turnNs = nowNs;
        beginNs = System.nanoTime();
    }

    private boolean isBusy() {
        return inRound || reading != null || !ended.isEmpty();
    }

    /** Reads one part of one memory. */
    private void step(Consumer<LinkMeter> closed) {
        if (reading == null) {
            reading = nextToRead();
            if (reading == null) {
                return;
            }
            begin();
        }
        LinkMeter meter = reading;
        try {
            if (!meter.isCut() && positions.next(meter.link.fd())) {
                return;
            }
            boolean has = !meter.isCut() && meter.take(positions, turnNs);
            moved |= has;
            changed |= has;
            if (has && meter.isOverrun(turnNs + System.nanoTime() - beginNs)) {
                endAll(meter.link);
            }
        } catch (LinuxException e) {
            end(meter, "a memory cannot be read: " + e.getMessage());
        } catch (LinkMeter.Nonsense e) {
            end(meter, e.getMessage());
        }
        reading = null;
        if (isLast) {
            ended.remove(meter);
            remove(meter);
            closed.accept(meter);
            changed = true;
        }
    }

    private LinkMeter nextToRead() {
        if (!ended.isEmpty() && !(endedWasLast && inRound)) {
            endedWasLast = true;
            return ended.peek();
        }
        endedWasLast = false;
        while (inRound && next < meters.size()) {
            LinkMeter meter = meters.get(next++);
            if (!meter.isCut() && !meter.isOver()) {
                return meter;
            }
        }
        inRound = false;
        intervalNs = moved ? SHORTEST_NS : Math.min(LONGEST_NS, 2 * intervalNs);
        return null;
    }

    private void begin() {
        isLast = reading.isOver();
        reading.begin(turnNs);
        try {
            if (!reading.isCut()) {
                positions.begin(reading.link.fd());
            }
        } catch (LinuxException e) {
            end(reading, "a memory cannot be read: " + e.getMessage());
        }
    }

    /** Ends all links of a process that sends more than it may. */
    private void endAll(ShownLink overrun) {
        String why = "process " + overrun.key().pid() + " sends more than the limit on its rate";
        allEnded.log(why);
        List<LinkMeter> all = meters.stream()
                .filter(each -> each.link.owner().equals(overrun.owner()))
                .toList();
        all.forEach(each -> cut(each, why));
    }

    private void end(LinkMeter meter, String why) {
        if (meter.isCut()) {
            return;
        }
        LinkMeter other = meter.other();
        String ends = "process " + meter.link.key().pid();
        if (other != null) {
            ends += " and process " + other.link.key().pid();
        }
        oneEnded.log(ends, why);
        cut(meter, why);
    }

    /** Has both ends give the link up, and counts that. */
    private void cut(LinkMeter meter, String why) {
        if (meter.isCut()) {
            return;
        }
        changed = true;
        meter.account.add(Tally.LINKS_ENDED, 1);
        meter.cut(why);
        LinkMeter other = meter.other();
        if (other != null) {
            other.account.add(Tally.LINKS_ENDED, 1);
            other.cut(why);
        }
    }

    private void remove(LinkMeter meter) {
        int index = meters.indexOf(meter);
        if (index >= 0) {
            LinkMeter last = meters.removeLast();
            if (index < meters.size()) {
                meters.set(index, last);
                // The one that has moved is not left out of the round.
                next = Math.min(next, index);
            }
        }
        byMemory.computeIfPresent(meter.link.key().memory(), (key, all) -> {
            all.remove(meter);
            return all.isEmpty() ? null : all;
        });
    }

    /** How long the driver may sleep until {@link #turn}, in nanoseconds; -1 if it need not be called. */
    long sleepNs(long nowNs) {
        if (isBusy()) {
            return 0;
        }
        return meters.isEmpty() ? -1 : Math.max(0, roundNs + intervalNs - nowNs);
    }

    /** Reads links that have ended, and closes all memories. */
    void close(Consumer<LinkMeter> closed) {
        startTurn(System.nanoTime());
        while (!ended.isEmpty() && System.nanoTime() - beginNs < FINISH_NS) {
            step(closed);
        }
        meters.forEach(meter -> meter.link.fd().close());
    }
}
