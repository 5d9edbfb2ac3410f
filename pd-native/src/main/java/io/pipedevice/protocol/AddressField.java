// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * An address in a {@link ControlMessage}, little-endian.
 *
 * <pre>
 *  0                2        4        8                       24
 *  +----------------+--------+--------+------------------------+
 *  | family: 4, 6,  | port   |   -    | address, 4 or 16 bytes |
 *  | or 0 for none  |        |        |                        |
 *  +----------------+--------+--------+------------------------+
 * </pre>
 */
final class AddressField {
    static final int LENGTH = 24;

    private static final int IPV4 = 4;
    private static final int IPV6 = 6;
    private static final int PORT_OFFSET = 2;
    private static final int BYTES_OFFSET = 8;
    private static final int IPV4_LENGTH = 4;
    private static final int IPV6_LENGTH = 16;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private AddressField() {}

    /** An address, or null if there is none or its family is unknown. */
    static InetSocketAddress get(MemorySegment memory, int offset) {
        int family = memory.get(SHORT, offset);
        if (family != IPV4 && family != IPV6) {
            return null;
        }
        byte[] bytes = new byte[family == IPV4 ? IPV4_LENGTH : IPV6_LENGTH];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset + BYTES_OFFSET, bytes, 0, bytes.length);
        int port = memory.get(SHORT, offset + PORT_OFFSET) & 0xFFFF;
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are addresses: " + Arrays.toString(bytes), e);
        }
    }

    /** Stores a resolved address; null stores that there is none. */
    static void set(MemorySegment memory, int offset, InetSocketAddress address) {
        memory.asSlice(offset, LENGTH).fill((byte) 0);
        if (address != null) {
            byte[] bytes = address.getAddress().getAddress();
            memory.set(SHORT, offset, (short) (bytes.length == IPV4_LENGTH ? IPV4 : IPV6));
            memory.set(SHORT, offset + PORT_OFFSET, (short) address.getPort());
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset + BYTES_OFFSET, bytes.length);
        }
    }
}
