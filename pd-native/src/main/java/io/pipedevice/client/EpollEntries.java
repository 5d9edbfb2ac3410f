// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.LibPageDescriptor;
import java.util.Arrays;

/**
 * The epoll instances that watch one socket, and the arm word that they share. One instance alone arms with its own
 * doorbell. Several arm with that of {@link Parking}, which wakes all of them: the waiting thread of the instance that
 * armed may be busy with its own work for long. Thread safe.
 */
@SuppressWarnings("ReferenceEquality")
final class EpollEntries {
    private static final ArmedEntry[] NONE = {};

    private final SocketSlot slot;
    private final Parking parking;

    /** Never changed in place; replaced under this object's monitor. */
    private volatile ArmedEntry[] entries = NONE;

    /** Guarded by this object's monitor, as is {@link #ended}. */
    private int generation;

    /** Whether the arm word may be that of the next socket with the same id. */
    private boolean ended;

    EpollEntries(SocketSlot slot, Parking parking) {
        this.slot = slot;
        this.parking = parking;
    }

    /** Adds an entry; false if the doorbell for several instances must be opened before. */
    synchronized boolean add(ArmedEntry entry) {
        if (entries.length > 0 && !parking.isOpen()) {
            return false;
        }
        ArmedEntry[] more = Arrays.copyOf(entries, entries.length + 1);
        more[entries.length] = entry;
        entries = more;
        return true;
    }

    synchronized void remove(ArmedEntry entry) {
        ArmedEntry[] before = entries;
        for (int i = 0; i < before.length; i++) {
            if (before[i] == entry) {
                ArmedEntry[] fewer = Arrays.copyOf(before, before.length - 1);
                System.arraycopy(before, i + 1, fewer, i, fewer.length - i);
                entries = fewer;
                if (fewer.length == 0) {
                    disarm();
                }
                return;
            }
        }
    }

    /** No thread arms or disarms any more: the socket is closed. */
    synchronized void end() {
        ended = true;
    }

    private void disarm() {
        if (ended) {
            return;
        }
        try {
            slot.arm(LibPageDescriptor.EPOLL_ARM_OFFSET, ArmWord.DISARMED);
        } catch (IllegalStateException e) {
            // Closed: the driver has stopped reading its words.
            return;
        }
    }

    /** Takes all out, because the socket is closed. */
    void removeAll() {
        for (ArmedEntry entry : entries) {
            entry.epoll.discard(entry);
        }
    }

    /** Has every instance look at the socket. */
    void touch() {
        for (ArmedEntry entry : entries) {
            entry.epoll.enqueue(entry);
        }
    }

    /**
     * Arms for one instance, and again for those that have armed before; a thread that arms fences and looks again.
     *
     * @throws IllegalStateException if the socket is closed
     */
    synchronized void arm(ArmedEntry entry, int interest) {
        ArmedEntry[] all = entries;
        entry.armed = interest;
        int union = 0;
        boolean isIn = false;
        for (ArmedEntry each : all) {
            union |= each.armed;
            isIn |= each == entry;
        }
        if (!isIn || ended) {
            // Removed since its instance looked at it: the doorbell of another instance must stay.
            return;
        }
        int doorbell = all.length > 1 ? parking.number() : entry.doorbell;
        if (++generation == 0) {
            generation = 1;
        }
        slot.arm(LibPageDescriptor.EPOLL_ARM_OFFSET, ArmWord.of(generation, doorbell, union));
    }
}
