// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiteralsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "127.0.0.1",
                "10.1.255.3",
                "255.255.255.255",
                "::",
                "::1",
                "fd00::8:1",
                "::ffff:10.0.0.1"
            })
    void addressesInNumbersAreThoseOfTheJdk(String text) throws Exception {
        assertEquals(InetAddress.getByName(text), Literals.address(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "10.1.2",
                "10.1.2.3.4",
                "10.1.2.256",
                "0000000010.1.2.3",
                "10.1..3",
                "10.1.2.-3",
                "0x7f.0.0.1",
                "10.1.2.3 ",
                "[::1]",
                "::1::",
                "12345::",
                "fd00::/8",
                ":",
                "a:b:c:d:e:f:g:h"
            })
    void whatIsNoAddressInNumbersIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Literals.address(text));
    }
}
