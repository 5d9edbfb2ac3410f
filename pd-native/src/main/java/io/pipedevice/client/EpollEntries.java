// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.LibPageDescriptor;
import java.util.Arrays;

/**
 * The epoll instances that watch one socket, and the arm word that they share. One instance alone arms with its own
 * doorbell. Several arm with that of {@link Parking}, which always hears it, while the thread of an instance that armed
 * may be busy with other things; it tells all of them. Thread safe.
 */
final class EpollEntries {
    private static final DriverEntry[] NONE = {};

    private final SocketCore core;

    /** Never changed in place; replaced under this object's monitor. */
    private volatile DriverEntry[] entries = NONE;

    /** Under this object's monitor. */
    private int generation;

    EpollEntries(SocketCore core) {
        this.core = core;
    }

    /** Adds an entry; false if the doorbell for several instances must be opened before. */
    synchronized boolean add(DriverEntry entry) {
        if (entries.length > 0 && !core.attachment.parking().isOpen()) {
            return false;
        }
        DriverEntry[] more = Arrays.copyOf(entries, entries.length + 1);
        more[entries.length] = entry;
        entries = more;
        return true;
    }

    synchronized void remove(DriverEntry entry) {
        DriverEntry[] before = entries;
        for (int i = 0; i < before.length; i++) {
            if (before[i] == entry) {
                DriverEntry[] fewer = Arrays.copyOf(before, before.length - 1);
                System.arraycopy(before, i + 1, fewer, i, fewer.length - i);
                entries = fewer;
                if (fewer.length == 0) {
                    disarm();
                }
                return;
            }
        }
    }

    private void disarm() {
        try {
            core.slot.arm(LibPageDescriptor.EPOLL_ARM_OFFSET, ArmWord.DISARMED);
        } catch (IllegalStateException e) {
            // Closed: the driver reads its words no more.
            return;
        }
    }

    /** Takes all out, because the socket is closed. */
    void removeAll() {
        for (DriverEntry entry : entries) {
            entry.epoll.discard(entry);
        }
    }

    /** Has every instance look at the socket. */
    void touch() {
        for (DriverEntry entry : entries) {
            entry.epoll.enqueue(entry);
        }
    }

    /**
     * Arms for one instance, and again for those that have armed before; a thread that arms fences and looks again.
     *
     * @throws IllegalStateException if the socket is closed
     */
    synchronized void arm(DriverEntry entry, int interest) {
        DriverEntry[] all = entries;
        entry.armed = interest;
        int union = 0;
        boolean isIn = false;
        for (DriverEntry each : all) {
            union |= each.armed;
            isIn |= each == entry;
        }
        if (!isIn) {
            // Removed since its instance looked at it; another's doorbell is not to be replaced.
            return;
        }
        int doorbell = all.length > 1 ? core.attachment.parking().number() : entry.doorbell;
        if (++generation == 0) {
            generation = 1;
        }
        core.slot.arm(LibPageDescriptor.EPOLL_ARM_OFFSET, ArmWord.of(generation, doorbell, union));
    }
}
