// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The other end of some of a JVM's connections on kernel TCP, and why they are there. Immutable.
 *
 * @param reason why they are on the kernel
 * @param client whether the JVM connected, rather than accepted
 * @param address the other end's
 * @param port the server's: of the other end if the JVM is the client, else its own
 * @param count connections, also those that have ended
 */
public record KernelEnd(String reason, boolean client, InetAddress address, int port, long count) {
    /** All ends in a page; an entry that no honest JVM writes is left out. */
    static List<KernelEnd> allOf(ByteBuffer page) {
        List<KernelEnd> ends = new ArrayList<>();
        for (int entry = 0; entry < StatPageDescriptor.ENDS; entry++) {
            int offset = StatPageDescriptor.endOffset(entry);
            long count = page.getLong(offset + StatPageDescriptor.END_COUNT);
            long kind = page.getLong(offset + StatPageDescriptor.END_KIND);
            int length = (int) (kind >> 16) & 0xff;
            if (count > 0 && (length == 4 || length == 16)) {
                byte[] address = new byte[length];
                page.get(offset + StatPageDescriptor.END_ADDRESS, address);
                ends.add(new KernelEnd(
                        KernelReason.text((int) kind & 0xff),
                        (kind >> 8 & 1) != 0,
                        address(address),
                        (int) (kind >> 32) & 0xffff,
                        count));
            }
        }
        return List.copyOf(ends);
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are addresses", e);
        }
    }
}
