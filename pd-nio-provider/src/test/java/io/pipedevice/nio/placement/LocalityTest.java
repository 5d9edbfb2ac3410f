// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.jdk.Literals;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.peer.rendezvous.PeerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class LocalityTest {
    private final InetAddress own = Literals.address("192.0.2.7");
    private final Set<InetAddress> addresses = new HashSet<>();
    private long now = Long.MAX_VALUE - 5;
    private int asked;
    private InetAddress from = Literals.address("192.0.2.1");
    private int routes;

    private Locality locality() {
        return new Locality(
                () -> {
                    asked++;
                    return addresses;
                },
                to -> {
                    routes++;
                    return from;
                },
                () -> now);
    }

    @Test
    void loopbackIsLocalWithoutALookup() {
        Locality locality = locality();
        assertTrue(locality.isLocal(Literals.address("127.8.8.8")));
        assertTrue(locality.isLocal(Literals.address("::1")));
        assertEquals(0, asked);
    }

    @Test
    void aLookupDuringTheFirstReadOfTheAddressesWaitsForIt() throws Exception {
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        Locality locality = new Locality(
                () -> {
                    reads.countDown();
                    await(mayReturn);
                    return Set.of(own);
                },
                to -> from,
                () -> now);
        FutureTask<Boolean> first = new FutureTask<>(() -> locality.isLocal(own));
        FutureTask<Boolean> second = new FutureTask<>(() -> locality.isLocal(own));
        Thread.ofPlatform().daemon().start(first);
        await(reads);
        Thread waits = Thread.ofPlatform().daemon().start(second);
        Awaitility.await().until(() -> second.isDone() || waits.getState() == Thread.State.BLOCKED);
        mayReturn.countDown();
        assertTrue(first.get(50, TimeUnit.SECONDS));
        assertTrue(second.get(50, TimeUnit.SECONDS), "the list before was empty");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(10, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
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
    void anAddressThatGoesIsMissedAfterASecond() {
        Locality locality = locality();
        addresses.add(own);
        assertTrue(locality.isLocal(own));
        addresses.remove(own);
        assertTrue(locality.isLocal(own));
        now += TimeUnit.SECONDS.toNanos(1);
        assertFalse(locality.isLocal(own));
    }

    @Test
    void bothPlacementsReachOwnAddressesThatNeedNoInterface() throws IOException {
        InetAddress linkLocal = Literals.address("fe80::1");
        addresses.add(own);
        addresses.add(linkLocal);
        Locality locality = locality();
        assertTrue(locality.isLocal(linkLocal));
        Path none = Path.of("/nonexistent");
        for (Placement each : List.of(
                new PeersPlacement(PeerOptions.read(), locality),
                new DriverPlacement(none, new PdOptions(), PeerOptions.read(), locality))) {
            assertTrue(each.reaches(own), each::toString);
            assertTrue(each.reaches(InetAddress.getLoopbackAddress()), each::toString);
            assertFalse(each.reaches(linkLocal), each::toString);
            assertFalse(each.reaches(Literals.address("192.0.2.8")), each::toString);
        }
    }

    @Test
    void theRouteIsLookedUpOnceASecond() throws IOException {
        Locality locality = locality();
        addresses.add(own);
        assertTrue(locality.isLocal(own));
        assertEquals(from, locality.sourceFor(own));
        InetAddress before = from;
        from = own;
        assertEquals(before, locality.sourceFor(own));
        assertEquals(1, routes);
        now += TimeUnit.SECONDS.toNanos(1);
        assertTrue(locality.isLocal(own));
        assertEquals(own, locality.sourceFor(own));
    }

    @Test
    void loopbackAndOwnAddressesOfVersion6NeedNoRoute() throws IOException {
        Locality locality = locality();
        assertEquals(Literals.address("127.0.0.1"), locality.sourceFor(Literals.address("127.8.8.8")));
        assertEquals(Literals.address("::1"), locality.sourceFor(Literals.address("::1")));
        InetAddress six = Literals.address("2001:db8::1");
        addresses.add(six);
        assertEquals(six, locality.sourceFor(six));
        assertEquals(0, routes);
    }

    @Test
    void anotherHostOfVersion6IsReachedByTheRoute() throws IOException {
        from = Literals.address("2001:db8::7");
        assertEquals(from, locality().sourceFor(Literals.address("2001:db8::8")));
    }

    @Test
    void aFailedReadKeepsTheEarlierAddresses() {
        addresses.add(own);
        boolean[] broken = new boolean[1];
        Locality locality = new Locality(
                () -> {
                    if (broken[0]) {
                        throw new IOException("no /proc");
                    }
                    return addresses;
                },
                to -> from,
                () -> now);
        assertTrue(locality.isLocal(own));
        broken[0] = true;
        now += TimeUnit.SECONDS.toNanos(2);
        assertFalse(locality.isLocal(Literals.address("192.0.2.8")));
        assertTrue(locality.isLocal(own));
    }
}
