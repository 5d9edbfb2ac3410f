// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.driver.data.AttachedProcess;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects that a process has registered or found, by the numbers with which it names them. A number has a
 * generation, so that one that was given up means nothing for a long time. Belongs to the driver's thread.
 *
 * @param <T> the type of the objects
 */
public class Handles<T extends Shared> {
    /** Most handles of a process. */
    private static final int MAX_HANDLES = 4096;

    private static final int GENERATION_SHIFT = 16;
    private static final int MAX_GENERATION = 0x7FFF;

    /** The process. */
    final AttachedProcess process;

    private final Runnable changed;

    /** Indexed by the low half of a handle. */
    private final List<Handle<T>> handles = new ArrayList<>();

    private final List<Integer> generations = new ArrayList<>();
    private final ArrayDeque<Integer> freed = new ArrayDeque<>();

    /** How many handles the process has of each target, which it watches once. */
    private final Map<T, Integer> watched = new HashMap<>();

    /**
     * Begins without handles.
     *
     * @param process that holds them
     * @param changed runs when a target has ended, or rights may have changed
     */
    public Handles(AttachedProcess process, Runnable changed) {
        this.process = process;
        this.changed = changed;
    }

    /**
     * Whether there is room for another handle.
     *
     * @return false if there are too many
     */
    public final boolean hasRoom() {
        return !freed.isEmpty() || handles.size() < MAX_HANDLES;
    }

    /**
     * Enters what the process has found or registered, and for which there is {@link #hasRoom room}.
     *
     * @param target of any process
     * @param owners whether the process has registered it
     * @return its handle
     */
    public final Handle<T> enter(T target, boolean owners) {
        int index;
        if (handles.size() < MAX_HANDLES && freed.isEmpty()) {
            index = handles.size();
            handles.add(null);
            generations.add(0);
        } else {
            index = freed.remove();
        }
        int generation = generations.get(index) % MAX_GENERATION + 1;
        generations.set(index, generation);
        Handle<T> handle = new Handle<>(process, target, generation << GENERATION_SHIFT | index, owners);
        handles.set(index, handle);
        if (watched.merge(target, 1, Integer::sum) == 1) {
            target.watch(changed);
        }
        return handle;
    }

    private static int index(int number) {
        return number & (1 << GENERATION_SHIFT) - 1;
    }

    /**
     * The object that the process means.
     *
     * @param number any value
     * @return the handle, or null if there is none of that number
     */
    public final Handle<T> handle(int number) {
        int index = index(number);
        Handle<T> handle = index < handles.size() ? handles.get(index) : null;
        return handle != null && handle.number == number ? handle : null;
    }

    /**
     * Gives a handle up.
     *
     * @param handle of this process
     */
    public final void release(Handle<T> handle) {
        int index = index(handle.number);
        handles.set(index, null);
        freed.add(index);
        if (watched.merge(handle.target, -1, Integer::sum) == 0) {
            watched.remove(handle.target);
            handle.target.unwatch(changed);
        }
    }

    /** Gives all handles up, because the process is gone. */
    public final void releaseAll() {
        for (int i = 0; i < handles.size(); i++) {
            Handle<T> handle = handles.get(i);
            if (handle != null) {
                release(handle);
            }
        }
    }
}
