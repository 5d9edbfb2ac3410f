// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.ProcessCounters;
import io.pipedevice.driver.share.ProcessLimits;
import io.pipedevice.driver.share.Share;
import io.pipedevice.linux.Disposal;
import io.pipedevice.queue.CommandType;
import io.pipedevice.queue.EntryRingConsumer;
import io.pipedevice.queue.EntryRingProducer;
import io.pipedevice.wait.TokenBucket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * An attached process: its pages, memory, sockets and doorbells. Owns all of them; {@link #close} releases everything.
 * A process that attaches several times has one of these for each attachment. Belongs to the driver's thread.
 */
public final class AttachedProcess implements AutoCloseable {
    /** The number of the attachment, by which the process itself and the counters know it. */
    public final int cid;
    /** Which process it is. */
    public final Identity identity;
    /** Its limits. */
    public final ProcessLimits limits;
    /** Its counters. */
    public final ProcessCounters counters;
    /** The use of its container, with other attachments. */
    public final ContainerUse use;
    /** The pages that it shares with the driver. */
    public final ProcessPages pages;
    /** Its memory. */
    public final ProcessMemory memory;
    /** Its sockets. */
    public final ProcessSockets sockets;
    /** The requests that it posted. */
    public final EntryRingConsumer requests;
    /** Its doorbells, by number. */
    public final List<ProcessDoorbell> doorbells = new ArrayList<>();
    /** Its account of the engine's time. */
    public final Share share = new Share();

    final EntryRingProducer events;
    final SendRate rate;

    /** {@link CopyScheduler}: the sockets that have data to copy, and whether the process is in the round. */
    final ArrayDeque<Endpoint> sending = new ArrayDeque<>();

    boolean scheduled;

    /** {@link CopyScheduler}: the sockets that the rate limit delays. */
    final ArrayList<Endpoint> throttled = new ArrayList<>();

    /** {@link Round}: whether the process has credit and data and waits for the device, and since when. */
    boolean waiting;

    long waitsSinceNs;

    private final Disposal disposal;
    private boolean gone;

    /**
     * Begins to serve a process that was admitted.
     *
     * @param terms of the attachment
     * @param pages of the process; this takes ownership
     * @param driver maps the process's memory, and is charged for what the driver allocates
     * @param disposal closes the doorbells
     * @param nowNs the time
     */
    public AttachedProcess(
            AttachmentTerms terms, ProcessPages pages, DriverMemory driver, Disposal disposal, long nowNs) {
        this.cid = terms.cid();
        this.identity = terms.identity();
        this.limits = terms.limits();
        this.counters = terms.counters();
        this.use = terms.use();
        this.pages = pages;
        this.disposal = disposal;
        this.rate = new SendRate(new TokenBucket(limits.bytesPerSecond(), nowNs), use);
        this.requests = pages.requests();
        this.events = pages.events();
        this.sockets = new ProcessSockets(this, pages);
        this.memory = new ProcessMemory(terms, pages, driver, this::descriptors, this::regionDropped);
    }

    /** Records that the control connection has ended, or that the process is detached. */
    public void leave() {
        gone = true;
    }

    /**
     * Whether the control connection has ended, or the process was detached.
     *
     * @return true even while its sockets have data to deliver
     */
    public boolean isGone() {
        return gone;
    }

    private void regionDropped(int number) {
        if (!gone) {
            // If the ring is full the event is dropped. This affects only the process itself, which keeps a useless
            // mapping.
            events.offer(CommandType.REGION_DROPPED, number, 0, 0, 0, 0, 0);
        }
    }

    /**
     * Number of descriptors that the driver has open for the process.
     *
     * @return one for each doorbell and each region
     */
    public int descriptors() {
        return memory.regions() + doorbells.size();
    }

    /**
     * Does a step of {@link #close}. Called when no command of the device uses the process's memory any more.
     *
     * @return false if that was the last step
     */
    public boolean closeSome() {
        gone = true;
        if (memory.closeSome()) {
            return true;
        }
        if (!doorbells.isEmpty()) {
            disposal.account(identity).close(doorbells.removeLast().socket);
            return true;
        }
        memory.closePages();
        counters.close();
        return false;
    }

    /** Closes everything except the memory, which chores close later. */
    @Override
    public void close() {
        while (closeSome()) {
            // Repeat until nothing is left.
        }
    }

    @Override
    public String toString() {
        return "process " + identity.pid() + " (attachment " + cid + ")";
    }
}
