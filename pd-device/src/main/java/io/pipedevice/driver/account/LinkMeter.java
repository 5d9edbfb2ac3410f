// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import io.pipedevice.peer.protocol.LinkPositions;
import java.util.concurrent.TimeUnit;

/**
 * Passes on to its account what one process has moved on a direct link since that was done last, as the process's own
 * memory says. A process may write there whatever it likes: then the account of its own container is wrong, by no more
 * than a machine could have moved, and the link ends. Belongs to the driver's thread.
 */
public final class LinkMeter {
    /** More than any machine moves in a second: bytes, and connections. */
    private static final long MOST_BYTES = 1L << 40;

    private static final long MOST_CONNECTIONS = 1L << 30;

    /** How long a new link may be used before it is shown. */
    private static final long UNSHOWN_NS = TimeUnit.SECONDS.toNanos(1);

    /** Words of a link are read at least that far apart, as far as these limits are concerned. */
    private static final long SHORTEST_S = 10;

    /**
     * After so many contradictions one after the other a process is not believed. One alone may be a slot that was set
     * up just when it was read.
     */
    private static final int MOST_CONTRADICTIONS = 3;

    final ShownLink link;
    final Account account;
    private long sent;
    private long received;
    private long connections;
    private long takenNs;

    /** The bytes that were sent between the last two readings, and the times at which these began. */
    private long sentLately;

    private long sinceNs;
    private long begunNs;

    /** Whether counting begins with the present values of the memory. */
    private boolean beginsNow;

    /** The other side's; null if it has not shown its memory. */
    private LinkMeter other;

    /** The bytes that the other side had received when the reading of this side began. */
    private long least;

    private int contradictions;

    /** Whether the process was asked to give the link up: nothing is read any more. */
    private boolean cut;

    /** Whether another meter has taken over the memory. */
    private boolean superseded;

    /** Whether the link has ended, so that it is read for the last time. */
    private boolean over;

    /** A link of which that much is in the account. */
    LinkMeter(ShownLink link, Account account, LinkMark mark, long takenNs) {
        this.link = link;
        this.account = account;
        this.takenNs = takenNs;
        // A new link may have been used before the driver has read that there is one.
        this.begunNs = mark == null ? takenNs - UNSHOWN_NS : takenNs;
        if (mark != null) {
            sent = mark.sent();
            received = mark.received();
            connections = mark.connections();
        } else {
            beginsNow = !link.isNew();
        }
    }

    LinkMark mark() {
        return new LinkMark(link.key(), sent, received, connections);
    }

    /** Whether something has been counted, or will be from what is known. */
    boolean isMarked() {
        return !beginsNow && !superseded;
    }

    /**
     * Ends the count, because the process has shown the memory again, in another session.
     *
     * @return the position from which another meter continues; null if nothing has been counted
     */
    LinkMark supersede() {
        LinkMark mark = isMarked() ? mark() : null;
        superseded = true;
        cut = true;
        return mark;
    }

    /** Whether the other side has not shown its memory, or has shown it again since. */
    boolean isAlone() {
        return other == null || other.superseded;
    }

    LinkMeter other() {
        return other;
    }

    /** Whether each of the two says that the other's memory is the one of its peer. */
    boolean isOtherEndOf(LinkMeter one) {
        return link.key().memory() == one.link.peer()
                && link.peer() == one.link.key().memory();
    }

    void meet(LinkMeter one) {
        other = one;
        one.other = this;
    }

    boolean isCut() {
        return cut;
    }

    void cut(String why) {
        if (!cut) {
            cut = true;
            link.owner().cut(link.key().memory(), why);
        }
    }

    boolean isOver() {
        return over;
    }

    /** The link has ended. False if that was known. */
    boolean end() {
        boolean first = !over;
        over = true;
        return first;
    }

    /** The memory is read from now on. */
    void begin(long nowNs) {
        sinceNs = begunNs;
        begunNs = nowNs;
        sentLately = 0;
        least = other == null ? 0 : other.received;
    }

    /**
     * Counts what has been read since {@link #begin}.
     *
     * @return whether data have moved, or the memory should be read again soon
     * @throws Nonsense if the words cannot be right; nothing is counted
     */
    boolean take(LinkPositions read, long nowNs) throws Nonsense {
        if (!read.isValid()) {
            throw new Nonsense("process " + link.key().pid() + " has positions out of range");
        }
        if (beginsNow) {
            beginsNow = false;
            sent = read.sent();
            received = read.received();
            connections = read.connections();
            takenNs = nowNs;
            return true;
        }
        long seconds = Math.max(SHORTEST_S, TimeUnit.NANOSECONDS.toSeconds(nowNs - takenNs));
        if (isTooMuch(read.sent() - sent, MOST_BYTES, seconds)
                || isTooMuch(read.received() - received, MOST_BYTES, seconds)
                || isTooMuch(read.connections() - connections, MOST_CONNECTIONS, seconds)) {
            throw new Nonsense("process " + link.key().pid() + " has moved more than is possible");
        }
        contradictions = read.sent() < least ? contradictions + 1 : 0;
        if (contradictions >= MOST_CONTRADICTIONS) {
            throw new Nonsense("process " + link.key().pid() + " has sent fewer bytes than the other one has received");
        }
        boolean changed = contradictions > 0
                || read.sent() > sent
                || read.received() > received
                || read.connections() > connections;
        account.add(Tally.DIRECT_SENT, read.sent() - sent);
        account.add(Tally.DIRECT_RECEIVED, read.received() - received);
        account.add(Tally.DIRECT_CONNECTIONS, read.connections() - connections);
        sentLately = Math.max(0, read.sent() - sent);
        // A word that falls takes nothing back that was counted.
        sent = Math.max(sent, read.sent());
        received = Math.max(received, read.received());
        connections = Math.max(connections, read.connections());
        takenNs = nowNs;
        return changed;
    }

    /** Whether the process sends much more than it may, as the last reading shows. */
    boolean isOverrun(long nowNs) {
        return sentLately > 0 && link.owner().hasSent(sentLately, sinceNs, nowNs);
    }

    private static boolean isTooMuch(long more, long ofSecond, long seconds) {
        return more / seconds > ofSecond;
    }

    /** A process's memory has words that cannot be right. */
    static final class Nonsense extends Exception {
        private static final long serialVersionUID = 1L;

        Nonsense(String message) {
            super(message);
        }
    }
}
