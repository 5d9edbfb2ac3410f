// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.jdk.Literals;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.DriverPageDescriptor;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that an honest PD Lib does not send: the driver refuses them, or detaches their sender. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class HostileRequestTest {
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
    @ValueSource(ints = {2, 3, 100, 255, 257, 512, 60_000})
    void aRecordThatIsNoMessage(int length) throws IOException {
        hostile.control.send(new byte[length]);
        fixture.assertDetached(length > ControlMessage.LENGTH ? "too long" : "not a message");
    }

    @Test
    void aMessageWithoutMagic() throws IOException {
        hostile.control.send(new byte[ControlMessage.LENGTH]);
        fixture.assertDetached("not a message");
    }

    @Test
    void moreDescriptorsThanAMessageMayCarry() throws IOException {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.STREAM);
        try {
            // Python sends this, because the bindings send no more than eight.
            Process python = new ProcessBuilder(
                            "python3",
                            "-c",
                            "import socket,os,array\n"
                                    + "s=socket.socket(socket.AF_UNIX,socket.SOCK_SEQPACKET)\n"
                                    + "s.connect('" + fixture.driver.directory.resolve("driver.sock") + "')\n"
                                    + "f=array.array('i',[os.dup(0) for i in range(200)])\n"
                                    + "s.sendmsg([b'x'*256],[(socket.SOL_SOCKET,socket.SCM_RIGHTS,f)])\n"
                                    + "print(len(s.recv(256)))")
                    .redirectErrorStream(true)
                    .start();
            python.waitFor();
        } catch (InterruptedException e) {
            throw new IOException(e);
        } finally {
            pair[0].close();
            pair[1].close();
        }
        fixture.assertServed();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 12, 100, 65535})
    void anUnknownType(int type) throws IOException {
        hostile.request(type);
        fixture.assertRefused(Errno.EPROTO);
        fixture.assertServed();
    }

    @Test
    void anotherVersionAfterAttach() throws IOException {
        hostile.request(ControlMessage.SOCKET);
        hostile.control.message.memory().set(ValueLayout.JAVA_SHORT, 4, (short) 99);
        fixture.assertRefused(Errno.EPROTO);
        fixture.assertServed();
    }

    @Test
    void descriptorsThatNobodyAskedFor() throws IOException {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.STREAM);
        try {
            hostile.request(ControlMessage.SOCKET);
            assertThrows(IOException.class, () -> hostile.control.call(pair[0].fd()));
            fixture.assertDetached("not requested");
        } finally {
            pair[0].close();
            pair[1].close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 63, 64, 65535, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void socketsThatDoNotExist(int sid) throws IOException {
        hostile.request(ControlMessage.BIND).socketId(sid).localAddress(TestDriver.loopback(0));
        fixture.assertRefused(Errno.EBADF);
        hostile.request(ControlMessage.LISTEN).socketId(sid).value(1).receiveRingSize(RING);
        fixture.assertRefused(Errno.EBADF);
        int region = hostile.addRegion(RING);
        hostile.request(ControlMessage.CONNECT)
                .socketId(sid)
                .peerAddress(fixture.pair.listener.local)
                .sendRing(region, 0, RING)
                .receiveRingSize(RING);
        fixture.assertRefused(Errno.EBADF);
        hostile.request(ControlMessage.ACCEPT).socketId(sid).sendRing(region, 0, RING);
        fixture.assertRefused(Errno.EBADF);
        hostile.request(ControlMessage.TAKE_URGENT).socketId(sid).value(1);
        fixture.assertRefused(Errno.EBADF);
        fixture.assertServed();
    }

    /** A request in a wrong state does not change the socket: every request in every other state. */
    @Test
    void requestsInWrongStates() throws IOException {
        int region = hostile.addRegion(RING);
        RawSocket active = hostile.socket();
        RawSocket bound = hostile.socket();
        bound.bind(TestDriver.loopback(0));
        RawSocket listening = hostile.listen(TestDriver.loopback(0), 2, RING);
        RawSocket connected = hostile.socket().connect(fixture.pair.listener.local);
        RawSocket peer = fixture.pair.listener.accept();
        for (RawSocket socket : List.of(bound, listening, connected)) {
            hostile.request(ControlMessage.BIND).socketId(socket.sid).localAddress(TestDriver.loopback(0));
            fixture.assertRefused(Errno.EINVAL);
        }
        hostile.request(ControlMessage.LISTEN).socketId(connected.sid).value(1).receiveRingSize(RING);
        fixture.assertRefused(Errno.EINVAL);
        for (RawSocket socket : List.of(active, bound, connected)) {
            hostile.request(ControlMessage.ACCEPT).socketId(socket.sid).sendRing(region, 0, RING);
            fixture.assertRefused(Errno.EINVAL);
        }
        for (RawSocket socket : List.of(active, bound, listening)) {
            hostile.request(ControlMessage.TAKE_URGENT).socketId(socket.sid).value(1);
            fixture.assertRefused(Errno.EINVAL);
        }
        for (RawSocket socket : List.of(listening, connected)) {
            hostile.request(ControlMessage.CONNECT)
                    .socketId(socket.sid)
                    .peerAddress(fixture.pair.listener.local)
                    .sendRing(region, 0, RING)
                    .receiveRingSize(RING);
            assertNotEquals(0, hostile.control.call().status());
        }
        peer.writeFully(new byte[] {1, 2});
        assertEquals(2, connected.readFully(2).length);
        RawSocket other = fixture.pair.client.socket().connect(listening.local);
        listening.accept();
        bound.listen(1, RING);
        active.connect(bound.local);
        other.close();
        fixture.assertServed();
    }

    @Test
    void onlyThePeerIsNotifiedWhetherASocketWantsUrgentData() throws IOException {
        RawSocket socket = hostile.socket().connect(fixture.pair.listener.local);
        RawSocket peer = fixture.pair.listener.accept();
        for (int wish : new int[] {1, 0, Integer.MIN_VALUE, 1}) {
            hostile.request(ControlMessage.TAKE_URGENT).socketId(socket.sid).value(wish);
            hostile.call();
            assertEquals(wish != 0, hasPeerThatWantsUrgentData(peer));
            assertFalse(hasPeerThatWantsUrgentData(socket));
            assertFalse(hasPeerThatWantsUrgentData(fixture.pair.far));
        }
        peer.close();
        await().until(peer::isReleased);
        RawSocket next;
        do {
            next = fixture.pair.server.socket();
            // Until the words of the peer belong to another socket.
        } while (next.sid != peer.sid);
        hostile.request(ControlMessage.TAKE_URGENT).socketId(socket.sid).value(1);
        hostile.call();
        assertFalse(hasPeerThatWantsUrgentData(next));
        fixture.assertServed();
    }

    private static boolean hasPeerThatWantsUrgentData(RawSocket socket) {
        return (socket.state() & DriverPageDescriptor.STATE_PEER_INLINE) != 0;
    }

    @Test
    void addressesThatAreNone() throws IOException {
        RawSocket socket = hostile.socket();
        hostile.request(ControlMessage.BIND).socketId(socket.sid);
        fixture.assertRefused(Errno.EINVAL);
        for (String address : List.of("192.0.2.1", "224.0.0.1", "255.255.255.255", "2001:db8::1", "ff02::1")) {
            hostile.request(ControlMessage.BIND)
                    .socketId(socket.sid)
                    .localAddress(new InetSocketAddress(Literals.address(address), 0));
            fixture.assertRefused(Errno.EADDRNOTAVAIL);
        }
        int region = hostile.addRegion(RING);
        hostile.request(ControlMessage.CONNECT)
                .socketId(socket.sid)
                .sendRing(region, 0, RING)
                .receiveRingSize(RING);
        fixture.assertRefused(Errno.EINVAL);
        for (int family : new int[] {0, 1, 5, 10, -1}) {
            hostile.request(ControlMessage.CONNECT)
                    .socketId(socket.sid)
                    .peerAddress(fixture.pair.listener.local)
                    .sendRing(region, 0, RING)
                    .receiveRingSize(RING);
            hostile.control.message.memory().set(ValueLayout.JAVA_SHORT, 72, (short) family);
            fixture.assertRefused(Errno.EINVAL);
        }
        fixture.assertServed();
    }

    @Test
    void answersThatNobodyReads() throws IOException {
        assertThrows(IOException.class, () -> {
            for (int i = 0; i < 1_000_000; i++) {
                hostile.request(ControlMessage.SOCKET);
                hostile.control.socket.sendBlocking(hostile.control.message.memory(), 0, ControlMessage.LENGTH);
            }
        });
        fixture.assertDetached("does not read its answers");
    }

    @Test
    void anEmptyRecordIsTheEnd() throws IOException {
        Process python = new ProcessBuilder(
                        "python3",
                        "-c",
                        "import socket,os\n"
                                + "s=socket.socket(socket.AF_UNIX,socket.SOCK_SEQPACKET)\n"
                                + "s.connect('" + fixture.driver.directory.resolve("driver.sock") + "')\n"
                                + "s.send(b'')\n"
                                + "print(s.recv(256))")
                .redirectErrorStream(true)
                .start();
        assertEquals(
                "b''\n", new String(python.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8));
        fixture.assertServed();
    }

    @Test
    void randomMessages() throws IOException {
        long seed = System.nanoTime();
        System.out.println("randomMessages seed " + seed);
        Random random = new Random(seed);
        int detached = 0;
        try (SharedRegion region = SharedRegion.create("pd-test", RING, false)) {
            for (int i = 0; i < 3000; i++) {
                randomMessage(random, region);
                if (i % 200 == 0) {
                    fixture.pair.exchange();
                }
                if (i % 10 == 0) {
                    randomRequest(random);
                }
                try {
                    hostile.drainEvents();
                    hostile.control.call(fds(random, region));
                } catch (IOException e) {
                    assertTrue(hostile.control.awaitEnd(30_000), () -> "neither answered nor detached: " + e);
                    detached++;
                    hostile.close();
                    hostile = fixture.driver.attach();
                    fixture.hostile = hostile;
                }
            }
        }
        System.out.println("randomMessages: detached " + detached + " times");
        fixture.driver.awaitCounter(CounterType.DETACHED, detached);
        fixture.driver.awaitCounter(CounterType.PROCESSES, 3);
    }

    private Fd[] fds(Random random, SharedRegion region) {
        boolean memory = hostile.control.message.type() == ControlMessage.ADD_REGION;
        // Unexpected descriptors would end most rounds at once.
        Fd[] fds = new Fd[memory ? random.nextInt(2) : random.nextInt(20) / 19];
        Arrays.fill(fds, random.nextBoolean() ? region.fd() : hostile.control.socket.fd());
        return fds;
    }

    private void randomMessage(Random random, SharedRegion region) {
        int type = random.nextInt(11);
        hostile.request(type)
                .socketId(number(random, 8))
                .value(number(random, 4))
                .argument(random.nextBoolean() ? region.size() : number(random, 8))
                .sendRing(number(random, 4), random.nextBoolean() ? 0 : number(random, 1 << 20), ringSize(random))
                .receiveRingSize(ringSize(random))
                .localAddress(address(random))
                .peerAddress(address(random));
    }

    private void randomRequest(Random random) throws IOException {
        // Wrong types and lengths would end most rounds at once.
        boolean wrong = random.nextInt(10) == 0;
        hostile.post(
                wrong ? random.nextInt(256) : 3 + random.nextInt(4),
                number(random, 8) & 0xFFFF,
                random.nextInt(3),
                number(random, RING),
                number(random, RING),
                random.nextInt(3));
    }

    private static int number(Random random, int bound) {
        int[] special = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 16, 1 << 20, 0};
        return random.nextInt(6) == 0 ? special[random.nextInt(special.length)] : random.nextInt(bound);
    }

    private static int ringSize(Random random) {
        return random.nextInt(4) == 0 ? number(random, 1 << 23) : 4096 << random.nextInt(5);
    }

    private InetSocketAddress address(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> null;
            case 1 -> TestDriver.loopback(0);
            case 2 -> new InetSocketAddress(Literals.address("::"), 10_000 + random.nextInt(4));
            case 3 -> TestDriver.loopback(10_000 + random.nextInt(4));
            default -> fixture.pair.listener.local;
        };
    }

    @Test
    void aListenerWhoseBacklogIsNeverAcceptedIsItsOwnersBusiness() throws IOException {
        RawSocket listener = hostile.listen(TestDriver.loopback(0), 8, RING);
        for (int i = 0; i < 8; i++) {
            fixture.pair.client.socket().connect(listener.local).writeFully(new byte[100]);
        }
        RawSocket ninth = fixture.pair.client.socket();
        assertThrows(RawException.class, () -> ninth.connect(listener.local));
        fixture.assertServed();
    }

    @Test
    void messagesDoNotBlockTheDriverWhoeverSendsThem() throws IOException {
        try {
            for (int i = 0; i < 200; i++) {
                hostile.request(ControlMessage.SOCKET);
                hostile.control.socket.send(hostile.control.message.memory(), 0, ControlMessage.LENGTH);
            }
        } catch (LinuxException e) {
            // The process is already detached, because it did not read the answers.
        }
        fixture.pair.exchange();
    }
}
