// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ContainerNameTest {
    private static final String ID = "4f1c2d3e4f5a6b7c".repeat(4);

    @Test
    void anIdAndAShortTextAreTheirOwnNames() {
        assertEquals(ID, ContainerName.of(ID));
        assertEquals("/,net=4026531840,user=0", ContainerName.of("/,net=4026531840,user=0"));
        assertEquals("", ContainerName.of(""));
    }

    @Test
    void longTextsHaveShortNamesThatDiffer() {
        String one = "/user.slice/user-1000.slice/user@1000.service,net=4026531840,user=1000";
        String name = ContainerName.of(one);
        assertTrue(name.startsWith("/user.slice/user-1000.slice/user@1000.s~"), name);
        assertEquals(56, name.length());
        assertEquals(name, ContainerName.of(name));
        assertNotEquals(name, ContainerName.of(one + "1"));
    }

    @Test
    void controlCharactersAreReplaced() {
        String name = ContainerName.of("/a\nb,net=1,user=0");
        assertTrue(name.startsWith("/a?b,net=1,user=0~"), name);
        assertNotEquals(name, ContainerName.of("/a\tb,net=1,user=0"));
    }

    @Test
    void aPersonSeesTwelveDigits() {
        assertEquals("4f1c2d3e4f5a", ContainerName.shown(ID));
        assertEquals("/,net=4026531840,user=0", ContainerName.shown("/,net=4026531840,user=0"));
    }
}
