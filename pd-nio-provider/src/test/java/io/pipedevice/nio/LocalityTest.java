// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LocalityTest {
    private final InetAddress own = InetAddress.ofLiteral("192.0.2.7");
    private final Set<InetAddress> addresses = new HashSet<>();
    private long now = Long.MAX_VALUE - 5;
    private int asked;

    private Locality locality() {
        return new Locality(
                () -> {
                    asked++;
                    return addresses;
                },
                () -> now);
    }

    @Test
    void loopbackIsLocalWithoutAQuestion() {
        Locality locality = locality();
        assertTrue(locality.isLocal(InetAddress.ofLiteral("127.8.8.8")));
        assertTrue(locality.isLocal(InetAddress.ofLiteral("::1")));
        assertEquals(0, asked);
    }

    @Test
    void anAddressThatComesIsSeenAfterASecond() {
        Locality locality = locality();
        assertFalse(locality.isLocal(own));
        addresses.add(own);
        now += TimeUnit.SECONDS.toNanos(1) - 1;
        assertFalse(locality.isLocal(own));
        assertEquals(1, asked, "asked again within a second");
        now++;
        assertTrue(locality.isLocal(own));
        assertTrue(locality.isLocal(own));
        assertEquals(2, asked, "asked although the answer was known");
    }

    @Test
    void whatCannotBeReadLeavesWhatWasKnown() {
        addresses.add(own);
        boolean[] broken = new boolean[1];
        Locality locality = new Locality(
                () -> {
                    if (broken[0]) {
                        throw new IOException("no /proc");
                    }
                    return addresses;
                },
                () -> now);
        assertTrue(locality.isLocal(own));
        broken[0] = true;
        now += TimeUnit.SECONDS.toNanos(2);
        assertFalse(locality.isLocal(InetAddress.ofLiteral("192.0.2.8")));
        assertTrue(locality.isLocal(own));
    }
}
