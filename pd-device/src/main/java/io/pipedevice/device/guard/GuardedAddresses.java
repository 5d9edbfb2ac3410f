// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.guard;

import io.pipedevice.device.AddressRanges;

/** Translates the device's addresses to the emulator's. Belongs to the driver's thread. */
final class GuardedAddresses {
    /** Translation of an unmapped address, which the emulator refuses too. */
    private static final long NOWHERE = 0;

    private final AddressRanges<Distance> mapped = new AddressRanges<>();

    /** The distance of the emulator's address of a byte from the device's. */
    private record Distance(long bytes) {}

    void add(long address, long size, long emulated) {
        mapped.add(address, size, new Distance(emulated - address));
    }

    void remove(long address) {
        mapped.remove(address);
    }

    /** The emulator's address for the device's. */
    long translate(long address) {
        Distance distance = mapped.covering(address, 1);
        return distance == null ? NOWHERE : address + distance.bytes;
    }
}
