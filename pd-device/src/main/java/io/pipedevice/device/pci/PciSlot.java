// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.pci;

import java.util.List;

/**
 * A PCI function as the kernel describes it.
 *
 * @param address such as {@code 0000:00:03.0}
 * @param vendor its vendor id
 * @param device its device id
 * @param classCode class, subclass and programming interface
 * @param driver that it is bound to; empty if none
 * @param group number of its IOMMU group; empty if no IOMMU covers it
 * @param neighbours addresses of the other functions in its group
 */
public record PciSlot(
        String address, int vendor, int device, int classCode, String driver, String group, List<String> neighbours) {
    private static final int BRIDGE = 0x0604;

    /** Copies the list. */
    public PciSlot {
        neighbours = List.copyOf(neighbours);
    }

    /**
     * Whether this is a bridge. A bridge may be in the IOMMU group of the functions behind it, and may keep its own
     * driver.
     */
    boolean isBridge() {
        return classCode >>> 8 == BRIDGE;
    }
}
