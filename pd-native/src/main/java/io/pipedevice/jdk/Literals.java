// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.jdk;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses that are written in numbers; no name is looked up. */
public final class Literals {
    private static final int IPV4_LENGTH = 4;
    private static final int MAX_NUMBER = 255;
    private static final int MAX_DIGITS = 3;

    private Literals() {}

    /**
     * Reads an address.
     *
     * @param text an IPv4 address in four decimal numbers, or an IPv6 address without brackets
     * @return the address
     * @throws IllegalArgumentException if the text is anything else
     */
    public static InetAddress address(String text) {
        try {
            // In brackets, a name is refused without a look-up.
            return text.indexOf(':') < 0
                    ? InetAddress.getByAddress(ipv4(text))
                    : InetAddress.getByName('[' + text + ']');
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address: " + text, e);
        }
    }

    private static byte[] ipv4(String text) {
        String[] numbers = text.split("\\.", -1);
        if (numbers.length != IPV4_LENGTH) {
            throw new IllegalArgumentException("not an address: " + text);
        }
        byte[] bytes = new byte[IPV4_LENGTH];
        for (int i = 0; i < IPV4_LENGTH; i++) {
            bytes[i] = number(numbers[i], text);
        }
        return bytes;
    }

    private static byte number(String digits, String text) {
        int number = digits.isEmpty() || digits.length() > MAX_DIGITS ? MAX_NUMBER + 1 : 0;
        for (int i = 0; i < digits.length() && number <= MAX_NUMBER; i++) {
            int digit = digits.charAt(i) - '0';
            number = digit < 0 || digit > 9 ? MAX_NUMBER + 1 : 10 * number + digit;
        }
        if (number > MAX_NUMBER) {
            throw new IllegalArgumentException("not an address: " + text);
        }
        return (byte) number;
    }
}
