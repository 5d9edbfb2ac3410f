// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

import io.pipedevice.jdk.Literals;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Addresses with a common prefix, such as {@code 10.1.0.0/16}. */
public final class AddressRange {
    private final byte[] network;
    private final int prefix;

    private AddressRange(byte[] network, int prefix) {
        this.network = network;
        this.prefix = prefix;
    }

    /**
     * Reads a range.
     *
     * @param text an address, IPv4 or IPv6, and optionally {@code /} and the length of the prefix in bits
     * @return the range
     * @throws IllegalArgumentException if it is anything else; the message says what
     */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        byte[] address;
        int bits;
        try {
            address = Literals.address(slash < 0 ? text : text.substring(0, slash))
                    .getAddress();
            bits = slash < 0 ? address.length * Byte.SIZE : Integer.parseInt(text.substring(slash + 1));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("write an address as 10.1.0.0/16, 10.1.2.3 or fd00::/8", e);
        }
        if (bits < 0 || bits > address.length * Byte.SIZE) {
            throw new IllegalArgumentException(
                    "a prefix of this address has 0 to " + address.length * Byte.SIZE + " bits");
        }
        byte[] network = address.clone();
        for (int i = 0; i < network.length; i++) {
            network[i] &= (byte) mask(bits, i);
        }
        if (!Arrays.equals(network, address)) {
            throw new IllegalArgumentException("the range begins at " + text(network) + "/" + bits);
        }
        return new AddressRange(network, bits);
    }

    /** The bits of a byte of an address that belong to a prefix. */
    private static int mask(int bits, int index) {
        int within = Math.max(0, Math.min(Byte.SIZE, bits - index * Byte.SIZE));
        return 0xFF << (Byte.SIZE - within) & 0xFF;
    }

    private static String text(byte[] address) {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are addresses", e);
        }
    }

    /**
     * Whether an address lies in the range.
     *
     * @param address any
     * @return false for one of the other family
     */
    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != network.length) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if (((bytes[i] ^ network[i]) & mask(prefix, i)) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return text(network) + "/" + prefix;
    }
}
