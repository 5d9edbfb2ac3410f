// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import io.pipedevice.driver.share.ProcessCounters;
import io.pipedevice.driver.share.Share;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Keeps the accounts of all containers: collects once in a second what processes have used, and has it stored. Belongs
 * to the driver's thread.
 */
public final class Accounts implements AutoCloseable {
    /**
     * After links were read, this many times as long passes before others are, so that data has the driver's thread.
     */
    private static final int REST = 9;

    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(1);

    /** While no data move, only memory and time are to be counted. */
    private static final long IDLE_SETTLE_NS = TimeUnit.SECONDS.toNanos(10);

    private final AccountBook book = new AccountBook();
    private final Int2ObjectHashMap<Meter> meters = new Int2ObjectHashMap<>();
    private final LinkMeters links;
    private final AccountStore store;
    private final Clock clock;
    private long restUntilNs = System.nanoTime();
    private long settledNs = System.nanoTime();
    private boolean idle;

    /** Whether something was counted since the accounts were stored. */
    private boolean changed;

    /**
     * Continues the accounts of an earlier driver.
     *
     * @param store of the accounts; closed with this
     * @param clock the time of day
     */
    public Accounts(AccountStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
        book.restore(store.restored().statements());
        links = new LinkMeters(
                store.restored().links(), seconds() - store.restored().written());
    }

    private long seconds() {
        return clock.instant().getEpochSecond();
    }

    /**
     * The account of a process that begins to use the driver.
     *
     * @param container its name
     * @param pod null for none
     * @param pid the process, which may enter several times
     * @return until {@link #leave}
     */
    public Account enter(String container, String pod, int pid) {
        changed = true;
        return book.enter(container, pod, pid, seconds());
    }

    /**
     * A process has ended.
     *
     * @param account its own
     * @param pid the process; as often as it entered
     */
    public void leave(Account account, int pid) {
        changed = true;
        account.leave(pid, seconds());
    }

    /**
     * Begins to collect what an attachment uses.
     *
     * @param cid its number
     * @param account of its container; entered
     * @param counters of the attachment
     * @param share of the attachment
     * @param nowNs the time
     */
    public void attached(int cid, Account account, ProcessCounters counters, Share share, long nowNs) {
        meters.put(cid, new Meter(account, counters, share, nowNs));
    }

    /**
     * Ends the collection, and leaves the account.
     *
     * @param cid the attachment
     * @param pid its process
     * @param nowNs the time
     */
    public void detached(int cid, int pid, long nowNs) {
        Meter meter = meters.remove(cid);
        meter.end(nowNs);
        leave(meter.account(), pid);
    }

    /**
     * Begins to count the data of a direct link, of which one end is shown.
     *
     * @param link is read from now on
     * @param container the name of the account of the process that shows it
     * @param pod null for none
     * @param nowNs the time
     * @return until {@link #hide}
     */
    public LinkMeter show(ShownLink link, String container, String pod, long nowNs) {
        return links.show(link, enter(container, pod, link.key().pid()), nowNs);
    }

    /**
     * Counts a direct link that has ended, for the last time, and closes its memory after that.
     *
     * @param meter of the link
     */
    public void hide(LinkMeter meter) {
        links.hide(meter);
    }

    private void closed(LinkMeter meter) {
        meter.link.owner().close(meter.link.fd());
        leave(meter.account, meter.link.key().pid());
    }

    /**
     * Counts a refusal.
     *
     * @param account of the container; null if it is not known
     * @param tally the kind
     */
    public void refused(Account account, Tally tally) {
        if (account != null) {
            count(account, tally);
        }
    }

    /**
     * Counts one.
     *
     * @param account of the container
     * @param tally what
     */
    public void count(Account account, Tally tally) {
        account.add(tally, 1);
        changed = true;
    }

    /**
     * Collects, if it is time for that.
     *
     * @param nowNs the time
     */
    public void turn(long nowNs) {
        long beginNs = System.nanoTime();
        if (beginNs - restUntilNs >= 0) {
            changed |= links.turn(nowNs, this::closed);
            long endNs = System.nanoTime();
            restUntilNs = endNs + REST * (endNs - beginNs);
        }
        if (nowNs - settledNs >= SETTLE_NS) {
            settle(nowNs);
        }
    }

    private void settle(long nowNs) {
        settledNs = nowNs;
        idle = true;
        for (Meter each : meters.values()) {
            idle &= !each.settle(nowNs);
        }
        if (changed || !meters.isEmpty()) {
            idle &= !changed;
            changed = false;
            store.write(book.statements(seconds()), links.marks());
        }
    }

    /**
     * How long the driver may sleep.
     *
     * @param nowNs the time
     * @return until {@link #turn} must be called, in milliseconds; -1 if it need not be
     */
    public long sleepMs(long nowNs) {
        long linksNs = links.sleepNs(nowNs);
        if (linksNs == 0) {
            linksNs = restUntilNs - System.nanoTime();
            if (linksNs <= 0) {
                return 0;
            }
        }
        long restNs = linksNs < 0 ? Long.MAX_VALUE : linksNs;
        if (!meters.isEmpty() || changed) {
            restNs = Math.min(restNs, settledNs + (idle && !changed ? IDLE_SETTLE_NS : SETTLE_NS) - nowNs);
        }
        return restNs == Long.MAX_VALUE ? -1 : Math.max(TimeUnit.NANOSECONDS.toMillis(restNs) + 1, 1);
    }

    /** Collects for the last time, and stores the accounts. */
    @Override
    public void close() {
        links.close(this::closed);
        settle(System.nanoTime());
        store.close();
    }
}
