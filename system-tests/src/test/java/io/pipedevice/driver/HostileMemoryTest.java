// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions and rings that an honest PD Lib does not request: the driver refuses them, and counts what remains. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class HostileMemoryTest {
    private static final int RING = RawSocket.RING;

    private HostileFixture fixture;
    private RawClient hostile;

    @BeforeEach
    void attach() throws IOException {
        fixture = new HostileFixture();
        hostile = fixture.hostile;
    }

    @AfterEach
    void othersGoOnAndNothingIsLeft() throws IOException {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0, 1",
        "0, 4095",
        "0, 65537",
        "0, 8388608",
        "0, -4096",
        "0, -2147483648",
        "65536, 65536",
        "4096, 65536",
        "-65536, 65536",
        "9223372036854775807, 4096",
        "9223372036854771712, 4096",
        "-9223372036854775808, 65536"
    })
    void sendRingsThatAreNotThere(long offset, int size) throws IOException {
        int region = hostile.addRegion(RING);
        RawSocket socket = hostile.socket();
        RawSocket listener = hostile.listen(TestDriver.loopback(0), 2, RING);
        fixture.pair.client.socket().connect(listener.local);
        for (int i = 0; i < 3; i++) {
            hostile.request(ControlMessage.CONNECT)
                    .socketId(socket.sid)
                    .peerAddress(fixture.pair.listener.local)
                    .sendRing(region, offset, size)
                    .receiveRingSize(RING);
            fixture.assertRefused(Errno.EINVAL);
            hostile.request(ControlMessage.ACCEPT).socketId(listener.sid).sendRing(region, offset, size);
            fixture.assertRefused(Errno.EINVAL);
            hostile.request(ControlMessage.CONNECT)
                    .socketId(socket.sid)
                    .peerAddress(fixture.pair.listener.local)
                    .sendRing(region + 1, 0, RING)
                    .receiveRingSize(RING);
            fixture.assertRefused(Errno.EINVAL);
        }
        assertEquals(-1, fixture.pair.listener.available() - 1, "no connection waits in vain");
        listener.accept();
        fixture.assertServed();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4097, 8 << 20, -4096, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void receiveRingsOfOtherSizes(int size) throws IOException {
        int region = hostile.addRegion(RING);
        RawSocket socket = hostile.socket();
        hostile.request(ControlMessage.CONNECT)
                .socketId(socket.sid)
                .peerAddress(fixture.pair.listener.local)
                .sendRing(region, 0, RING)
                .receiveRingSize(size);
        fixture.assertRefused(Errno.EINVAL);
        socket.bind(TestDriver.loopback(0));
        hostile.request(ControlMessage.LISTEN).socketId(socket.sid).value(1).receiveRingSize(size);
        fixture.assertRefused(Errno.EINVAL);
        fixture.assertServed();
    }

    /** A connection that fails half-way leaves no port behind, and no socket in the listener's process. */
    @Test
    void connectionsThatFail() throws IOException {
        long sockets = fixture.driver.counter(CounterType.PROCESS_SOCKETS);
        try (HostileFixture poor = new HostileFixture(new DriverContext().maxMemory(5 << 20))) {
            List<RawSocket> all = new ArrayList<>();
            RawSocket big = poor.hostile.socket();
            big.bind(TestDriver.loopback(0));
            big.listen(4, 4 << 20);
            poor.pair.client.socket().connect(big.local, RING, RING);
            for (int i = 0; i < 40; i++) {
                RawSocket socket = poor.pair.client.socket();
                all.add(socket);
                RawException refused = assertThrows(RawException.class, () -> socket.connect(big.local, RING, RING));
                assertEquals(Errno.ENOBUFS, refused.errno);
                socket.bind(TestDriver.loopback(0));
                RawSocket same = poor.pair.client.socket();
                same.bind(TestDriver.loopback(0));
                same.close();
                socket.close();
            }
            poor.pair.exchange();
            assertEquals(
                    5,
                    TestDriver.counter(poor.driver.stat, CounterType.PROCESS_SOCKETS) - closing(all),
                    "near, far, two listeners, one that waits for accept and its client");
        }
        fixture.driver.awaitCounter(CounterType.PROCESS_SOCKETS, sockets);
    }

    private static long closing(List<RawSocket> sockets) {
        TestDriver.await("all to be released", () -> sockets.stream().allMatch(RawSocket::isReleased));
        return 1;
    }

    @Test
    void regionsThatCannotBeAdded() throws IOException {
        try (SharedRegion region = SharedRegion.create("pd-test", RING, false);
                SharedRegion other = SharedRegion.create("pd-test", RING, false)) {
            hostile.request(ControlMessage.ADD_REGION).value(5).argument(RING);
            fixture.assertRefused(Errno.EINVAL);
            for (long size : new long[] {0, 1, -1, 4096, RING + 1, Long.MIN_VALUE}) {
                hostile.request(ControlMessage.ADD_REGION).value(5).argument(size);
                fixture.assertRefused(Errno.EINVAL, region.fd());
            }
            for (long size : new long[] {1L << 40, Long.MAX_VALUE}) {
                hostile.request(ControlMessage.ADD_REGION).value(5).argument(size);
                fixture.assertRefused(Errno.ENOBUFS, region.fd());
            }
            hostile.request(ControlMessage.ADD_REGION).value(-1).argument(RING);
            fixture.assertRefused(Errno.EINVAL, region.fd());
            hostile.request(ControlMessage.ADD_REGION).value(5).argument(RING);
            fixture.assertRefused(Errno.EINVAL, region.fd(), other.fd());
            hostile.request(ControlMessage.ADD_REGION).value(5).argument(RING);
            hostile.call(region.fd());
            hostile.request(ControlMessage.ADD_REGION).value(5).argument(RING);
            fixture.assertRefused(Errno.EINVAL, other.fd());
            hostile.request(ControlMessage.REMOVE_REGION).value(6);
            fixture.assertRefused(Errno.EINVAL);
            hostile.request(ControlMessage.REMOVE_REGION).value(5);
            hostile.call();
            hostile.request(ControlMessage.REMOVE_REGION).value(5);
            fixture.assertRefused(Errno.EINVAL);
        }
        assertEquals(
                2 * RING + 3 * hostile.libPage.size(),
                fixture.driver.counter(CounterType.PROCESS_SEND_MEMORY),
                "only the pair's, and each process's page");
        fixture.assertServed();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 100, 4095, 4097, 65535})
    void aRegionThatIsNotWholePages(long size) throws IOException {
        Fd fd = Memory.memfd("pd-test", Memory.PageSize.NORMAL);
        try {
            Memory.resize(fd, size);
            Memory.addSeals(fd, SharedRegion.REQUIRED_SEALS);
            hostile.request(ControlMessage.ADD_REGION).value(5).argument(size);
            fixture.assertRefused(Errno.EINVAL, fd);
        } finally {
            fd.close();
        }
        fixture.assertServed();
    }

    @Test
    void aRegionWithoutPages() throws IOException {
        // The pages of a ring must exist when it is used: the driver never accesses a hole, and never fills one.
        try (SharedRegion region = SharedRegion.create("pd-test", 4 << 20, false)) {
            hostile.request(ControlMessage.ADD_REGION).value(5).argument(region.size());
            hostile.call(region.fd());
            RawSocket socket = hostile.socket();
            hostile.request(ControlMessage.CONNECT)
                    .socketId(socket.sid)
                    .peerAddress(fixture.pair.listener.local)
                    .sendRing(5, 0, 4 << 20)
                    .receiveRingSize(RING);
            fixture.assertRefused(Errno.ENOMEM);
            region.allocate(0, region.size());
            hostile.request(ControlMessage.CONNECT)
                    .socketId(socket.sid)
                    .peerAddress(fixture.pair.listener.local)
                    .sendRing(5, 0, 4 << 20)
                    .receiveRingSize(RING);
            hostile.receiveRing(hostile.call());
            RawSocket peer = fixture.pair.listener.accept();
            socket.post(io.pipedevice.queue.CommandType.SEND, 0, 4 << 20, 0);
            assertEquals(1 << 20, peer.readFully(1 << 20).length);
        }
        fixture.assertServed();
    }

    /** A region that is removed while one of its rings is in use stays mapped, and so it still counts. */
    @Test
    void regionsThatAreRemovedWhileInUse() throws IOException {
        RawSocket listener = hostile.listen(TestDriver.loopback(0), 64, 4096);
        long before = fixture.driver.counter(CounterType.PROCESS_SEND_MEMORY);
        for (int i = 0; i < 10; i++) {
            hostile.socket().connect(listener.local, 4096, 4096);
            hostile.removeRegion(i);
        }
        assertEquals(before + 10 * 4096, fixture.driver.counter(CounterType.PROCESS_SEND_MEMORY));
        listener.close();
        for (int sid = 0; sid < 25; sid++) {
            hostile.post(io.pipedevice.queue.CommandType.CLOSE, sid, 1, 0, 0, 0);
        }
        fixture.driver.awaitCounter(CounterType.PROCESS_SEND_MEMORY, before);
        fixture.assertServed();
    }
}
