// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The other ends of connections on the kernel, in the page that other processes read: the first ones, as many as the
 * page has entries for. Thread safe.
 */
final class KernelEnds {
    private final StatPage page;

    KernelEnds(StatPage page) {
        this.page = page;
    }

    /**
     * Counts a connection.
     *
     * @param client whether this end connected
     * @param address the other end's
     * @param port the server's, on whichever end that is, because a client has a new one for each connection
     */
    synchronized void count(KernelReason reason, boolean client, InetAddress address, int port) {
        byte[] bytes = address.getAddress();
        ByteBuffer padded = ByteBuffer.allocate(2 * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(0, bytes);
        long kind = StatPageDescriptor.endKind(reason.id(), client, bytes.length, port);
        for (int entry = 0; entry < StatPageDescriptor.ENDS; entry++) {
            int offset = StatPageDescriptor.endOffset(entry);
            boolean free = page.get(offset + StatPageDescriptor.END_COUNT) == 0;
            if (free) {
                page.add(offset + StatPageDescriptor.END_KIND, kind);
                page.add(offset + StatPageDescriptor.END_ADDRESS, padded.getLong(0));
                page.add(offset + StatPageDescriptor.END_ADDRESS + Long.BYTES, padded.getLong(Long.BYTES));
            }
            if (free || isAbout(offset, kind, padded)) {
                page.add(offset + StatPageDescriptor.END_COUNT, 1);
                return;
            }
        }
    }

    private boolean isAbout(int offset, long kind, ByteBuffer address) {
        return page.get(offset + StatPageDescriptor.END_KIND) == kind
                && page.get(offset + StatPageDescriptor.END_ADDRESS) == address.getLong(0)
                && page.get(offset + StatPageDescriptor.END_ADDRESS + Long.BYTES) == address.getLong(Long.BYTES);
    }
}
