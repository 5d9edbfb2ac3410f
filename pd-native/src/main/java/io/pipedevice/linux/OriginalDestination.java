// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;

/** The destination that a client has named, before a rule of the packet filter rewrote it (DNAT, REDIRECT). */
public final class OriginalDestination {
    private static final int SOL_IP = 0;
    private static final int SOL_IPV6 = 41;

    /** SO_ORIGINAL_DST of linux/netfilter_ipv4.h, and IP6T_SO_ORIGINAL_DST. */
    private static final int ORIGINAL_DST = 80;

    private static final int IPV4_LENGTH = 16;
    private static final int IPV6_LENGTH = 28;
    private static final int PORT_OFFSET = 2;
    private static final int IPV4_OFFSET = 4;
    private static final int IPV6_OFFSET = 8;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private OriginalDestination() {}

    /**
     * Whether an accepted connection was sent to another address or port than that of its socket. The kernel knows that
     * if the rule is one of the socket's network namespace.
     *
     * @param number of a descriptor of the connection, which the caller keeps from being closed meanwhile
     * @param local the address and port of its socket
     * @return false also if the kernel does not know
     */
    public static boolean isOther(int number, InetSocketAddress local) {
        boolean isV4 = local.getAddress() instanceof Inet4Address;
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment name = scratch.zeroed();
            MemorySegment length = scratch.control();
            length.set(Native.INT, 0, isV4 ? IPV4_LENGTH : IPV6_LENGTH);
            if (SocketCalls.getOption(number, isV4 ? SOL_IP : SOL_IPV6, ORIGINAL_DST, name, length) < 0) {
                // No rule was looked up for it.
                return false;
            }
            byte[] address = local.getAddress().getAddress();
            int offset = isV4 ? IPV4_OFFSET : IPV6_OFFSET;
            boolean isSame = name.get(PORT, PORT_OFFSET) == (short) local.getPort();
            for (int i = 0; i < address.length; i++) {
                isSame &= name.get(ValueLayout.JAVA_BYTE, offset + i) == address[i];
            }
            return !isSame;
        }
    }
}
