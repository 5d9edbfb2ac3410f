// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.jdk.Literals;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class UnknownListenersTest {
    private static final InetSocketAddress ONE = new InetSocketAddress(Literals.address("127.0.0.1"), 80);
    private static final long INODE = 7;

    private final Object session = new Object();
    private long nowNs = -5;
    private long inode = INODE;
    private int asked;
    private final UnknownListeners unknown = new UnknownListeners(this::inode, () -> nowNs);

    private long inode(InetSocketAddress to) {
        assertEquals(ONE, to);
        asked++;
        return inode;
    }

    private boolean isUnknown() {
        return unknown.has(session, ONE);
    }

    private void addAndStand() {
        unknown.add(session, ONE, INODE);
        unknown.stands(ONE);
    }

    @Test
    void anAddressIsUnknownForAWhileOnceTheKernelHasConnectedToIt() {
        assertFalse(isUnknown());
        unknown.stands(ONE);
        assertFalse(isUnknown(), "nothing was asked about it");
        unknown.add(session, ONE, INODE);
        assertFalse(isUnknown(), "the kernel may refuse, and the program try again");
        unknown.stands(ONE);
        assertTrue(isUnknown());
        nowNs += UnknownListeners.VALID_NS - 1;
        unknown.stands(ONE);
        assertTrue(isUnknown());
        nowNs += 2;
        assertFalse(isUnknown(), "connections do not prolong it");
        unknown.stands(ONE);
        assertFalse(isUnknown());
    }

    @Test
    void anAddressIsNotUnknownOnceAnotherSocketHasIt() {
        addAndStand();
        nowNs += UnknownListeners.RENEWAL_NS - 1;
        assertTrue(isUnknown());
        assertEquals(0, asked);
        nowNs++;
        assertTrue(isUnknown());
        assertTrue(isUnknown());
        assertEquals(1, asked);
        inode++;
        nowNs += UnknownListeners.RENEWAL_NS;
        assertFalse(isUnknown());
        inode = INODE;
        assertFalse(isUnknown());
    }

    @Test
    void answersOfAnotherDriverDoNotCount() {
        addAndStand();
        assertFalse(unknown.has(new Object(), ONE));
        assertFalse(isUnknown());
    }

    @Test
    void manyAddressesTakeLimitedMemory() {
        addAndStand();
        for (int i = 0; i < 10_000; i++) {
            InetSocketAddress other = new InetSocketAddress(Literals.address("127.0.0.2"), i);
            unknown.add(session, other, INODE);
            assertFalse(unknown.has(session, other));
        }
        assertFalse(isUnknown(), "rather ask too often");
    }
}
