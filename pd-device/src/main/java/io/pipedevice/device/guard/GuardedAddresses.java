// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.guard;

import java.util.Arrays;

/**
 * Translates the device's addresses to the emulator's. A sorted table, so that a lookup allocates nothing. Belongs to
 * the driver's thread.
 */
final class GuardedAddresses {
    private static final int INITIAL_LENGTH = 16;

    /** Translation of an unmapped address, which the emulator refuses too. */
    private static final long NOWHERE = 0;

    private long[] from = new long[INITIAL_LENGTH];
    private long[] length = new long[INITIAL_LENGTH];
    private long[] to = new long[INITIAL_LENGTH];
    private int count;

    void add(long address, long size, long emulated) {
        if (count == from.length) {
            from = Arrays.copyOf(from, 2 * count);
            length = Arrays.copyOf(length, 2 * count);
            to = Arrays.copyOf(to, 2 * count);
        }
        int at = floor(address) + 1;
        move(at, at + 1);
        from[at] = address;
        length[at] = size;
        to[at] = emulated;
        count++;
    }

    void remove(long address) {
        int at = floor(address);
        if (at >= 0 && from[at] == address) {
            move(at + 1, at);
            count--;
        }
    }

    private void move(int source, int target) {
        int moved = count - source;
        System.arraycopy(from, source, from, target, moved);
        System.arraycopy(length, source, length, target, moved);
        System.arraycopy(to, source, to, target, moved);
    }

    /** The emulator's address for the device's. */
    long translate(long address) {
        int at = floor(address);
        return at < 0 || address - from[at] >= length[at] ? NOWHERE : to[at] + (address - from[at]);
    }

    private int floor(long address) {
        int at = Arrays.binarySearch(from, 0, count, address);
        return at >= 0 ? at : -at - 2;
    }
}
