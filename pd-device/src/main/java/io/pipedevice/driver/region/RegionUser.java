// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.driver.data.Container;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.operation.CompletionPageDescriptor;
import io.pipedevice.operation.OperationConsumer;
import io.pipedevice.operation.OperationPageDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that has registered or found regions: its handles, its queue pairs, and those of them that have something to
 * do. Belongs to the driver's thread.
 */
public final class RegionUser {
    /** Most handles of a process. */
    private static final int MAX_HANDLES = 4096;

    private static final int GENERATION_SHIFT = 16;
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    /** Its attachment. */
    public final Container container;

    final RegionTable table;

    /** The queue pairs that have something to do, or had when they were last looked at. */
    final ArrayDeque<OperationQueue> active = new ArrayDeque<>();

    /** {@link Operations}: whether the container has used up its rate. */
    boolean throttled;

    private final Operations operations;

    /** Indexed by the low half of a handle. */
    private final List<RegionHandle> handles = new ArrayList<>();

    private final List<Integer> generations = new ArrayList<>();
    private final ArrayDeque<Integer> freed = new ArrayDeque<>();
    private final List<Region> regions = new ArrayList<>();
    private SharedRegion page;
    private SharedRegion completionPage;
    private MemorySegment words;
    private OperationQueue[] queues = {};
    private long[] activities = {};
    private long changes;

    RegionUser(Container container, RegionTable table, Operations operations) {
        this.container = container;
        this.table = table;
        this.operations = operations;
    }

    /**
     * Gives the process its queue pairs; takes ownership of the pages.
     *
     * @param operationPage of the process
     * @param completions of the driver
     * @param count of queue pairs
     * @param depth of each
     */
    public void open(SharedRegion operationPage, SharedRegion completions, int count, int depth) {
        page = operationPage;
        completionPage = completions;
        words = operationPage.memory();
        WORD.set(completions.memory(), CompletionPageDescriptor.VERSION_OFFSET, CompletionPageDescriptor.VERSION);
        WORD.setRelease(completions.memory(), 0L, CompletionPageDescriptor.MAGIC);
        queues = new OperationQueue[count];
        activities = new long[(count + OperationPageDescriptor.GROUP - 1) / OperationPageDescriptor.GROUP];
        for (int number = 0; number < count; number++) {
            queues[number] = new OperationQueue(
                    this, operations, number, new OperationConsumer(words, completions.memory(), depth, number));
        }
    }

    /**
     * Whether the process has its queue pairs.
     *
     * @return true after {@link #open}
     */
    public boolean isOpen() {
        return page != null;
    }

    /**
     * Enters a region that the process has registered.
     *
     * @param region of the process, for which there is {@link #hasRoom room}
     * @return its handle
     */
    public RegionHandle register(Region region) {
        RegionHandle handle = enter(region);
        handle.owners = true;
        regions.add(region);
        return handle;
    }

    /**
     * Whether there is room for another handle.
     *
     * @return false if there are too many
     */
    public boolean hasRoom() {
        return !freed.isEmpty() || handles.size() < MAX_HANDLES;
    }

    /**
     * Enters a region that the process has found.
     *
     * @param region of any process
     * @return its handle, or null if there are too many
     */
    public RegionHandle enter(Region region) {
        int index;
        if (!freed.isEmpty()) {
            index = freed.poll();
        } else if (handles.size() < MAX_HANDLES) {
            index = handles.size();
            handles.add(null);
            generations.add(0);
        } else {
            return null;
        }
        int generation = (generations.get(index) % 0x7FFF) + 1;
        generations.set(index, generation);
        RegionHandle handle = new RegionHandle(this, region, generation << GENERATION_SHIFT | index);
        handles.set(index, handle);
        region.found(handle);
        return handle;
    }

    /**
     * The region that the process means.
     *
     * @param number any value
     * @return the handle, or null if there is none of that number
     */
    public RegionHandle handle(int number) {
        int index = number & (1 << GENERATION_SHIFT) - 1;
        RegionHandle handle = index < handles.size() ? handles.get(index) : null;
        return handle != null && handle.number == number ? handle : null;
    }

    /**
     * Gives a handle up.
     *
     * @param handle of this process
     */
    public void release(RegionHandle handle) {
        int index = handle.number & (1 << GENERATION_SHIFT) - 1;
        handles.set(index, null);
        freed.add(index);
        handle.region.lost(handle);
    }

    /**
     * Closes a region of the process.
     *
     * @param handle of a region of its own
     * @param then runs when no operation uses the region any more
     */
    public void deregister(RegionHandle handle, Runnable then) {
        table.withdraw(handle.region);
        handle.region.close(() -> {
            regions.remove(handle.region);
            then.run();
        });
        release(handle);
    }

    /**
     * Tells the process that a region has ended, or that rights may have changed. An operation that waits for the rate is
     * looked at again: if its region has ended, its owner must not wait for it.
     */
    void changed() {
        throttled = false;
        if (isOpen()) {
            WORD.setRelease(completionPage.memory(), (long) CompletionPageDescriptor.CHANGES_OFFSET, ++changes);
        }
    }

    /** Puts the queue pairs that have requests among the active ones. */
    void look() {
        for (int group = 0; group < activities.length && container.share.hasCredit(); group++) {
            int first = group * OperationPageDescriptor.GROUP;
            long activity = OperationConsumer.activity(words, first);
            if (activity != activities[group]) {
                activities[group] = activity;
                container.share.requests(1);
                int end = Math.min(queues.length, first + OperationPageDescriptor.GROUP);
                for (int number = first; number < end; number++) {
                    queues[number].activateIfPosted();
                }
            }
        }
    }

    /** Whether requests were announced since the last look. */
    boolean hasAnnouncements() {
        for (int group = 0; group < activities.length; group++) {
            if (OperationConsumer.activity(words, group * OperationPageDescriptor.GROUP) != activities[group]) {
                return true;
            }
        }
        return false;
    }

    /** Ends the process's regions, and takes no more of its requests, because it is gone. */
    void leave() {
        active.clear();
        for (OperationQueue queue : queues) {
            queue.stop();
        }
        for (int i = 0; i < handles.size(); i++) {
            RegionHandle handle = handles.get(i);
            if (handle != null && !handle.owners) {
                release(handle);
            }
        }
        for (Region region : regions) {
            table.withdraw(region);
            region.close(() -> {});
        }
    }

    /** Whether nothing of the process that is gone is in use. */
    boolean isQuiet() {
        for (OperationQueue queue : queues) {
            if (!queue.isQuiet()) {
                return false;
            }
        }
        for (int i = 0; i < regions.size(); i++) {
            if (!regions.get(i).isReleased()) {
                return false;
            }
        }
        return true;
    }

    /** Releases the pages of a process that is gone. */
    void close() {
        if (isOpen()) {
            container.unmapped(page, page.size());
            container.freePage(completionPage, completionPage.size());
            queues = new OperationQueue[0];
            activities = new long[0];
            page = null;
        }
    }
}
