// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that attach incorrectly get an error, and leave nothing behind. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class AttachTest {
    private static final int DEPTH = RawClient.DEPTH;
    private static final int SOCKETS = RawClient.MAX_SOCKETS;

    private HostileFixture fixture;
    private RawControl control;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void connect() throws IOException {
        fixture = new HostileFixture();
        control = new RawControl(fixture.driver.driver.connect());
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        control.close();
        for (AutoCloseable closeable : opened) {
            closeable.close();
        }
        fixture.close();
    }

    /** Asserts a refusal, after which the same connection may still attach correctly. */
    private void assertRefused(int errno, int depth, int sockets, long size, Fd... fds) throws IOException {
        long refusals = fixture.driver.counter(CounterType.REFUSALS);
        control.request(ControlMessage.ATTACH).value(depth).socketId(sockets).argument(size);
        ControlMessage answer = control.call(fds);
        assertEquals(errno, answer.status(), answer.text());
        assertTrue(answer.text().length() > 5, "says why: " + answer.text());
        assertEquals(0, control.fds.count());
        fixture.driver.awaitCounter(CounterType.REFUSALS, refusals + 1);
        try (SharedRegion page = RawClient.libPage(DEPTH, SOCKETS)) {
            control.request(ControlMessage.ATTACH)
                    .value(DEPTH)
                    .socketId(SOCKETS)
                    .argument(page.size());
            assertEquals(0, control.call(page.fd()).status());
        }
    }

    private SharedRegion page() throws IOException {
        SharedRegion page = RawClient.libPage(DEPTH, SOCKETS);
        opened.add(page);
        return page;
    }

    private Fd memfd(long size, int seals) throws IOException {
        Fd fd = Memory.memfd("pd-test", Memory.PageSize.NORMAL);
        opened.add(fd);
        Memory.resize(fd, size);
        Memory.addSeals(fd, seals);
        return fd;
    }

    @Test
    void anotherVersionIsRefusedWithBothVersions() throws IOException {
        SharedRegion page = page();
        control.request(ControlMessage.ATTACH).value(DEPTH).socketId(SOCKETS).argument(page.size());
        control.message.memory().set(ValueLayout.JAVA_SHORT, 4, (short) (ControlMessage.VERSION + 1));
        ControlMessage answer = control.call(page.fd());
        assertEquals(Errno.EPROTO, answer.status());
        assertEquals(
                "protocol version " + (ControlMessage.VERSION + 1) + ", the driver speaks " + ControlMessage.VERSION,
                answer.text());
        assertEquals(ControlMessage.VERSION, answer.version());
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 512, 4000})
    void aVersionWithOtherMessagesIsRefusedWithBothVersions(int length) throws IOException {
        byte[] bytes = new byte[length];
        control.request(ControlMessage.ATTACH);
        byte[] head = control.message.memory().asSlice(0, 16).toArray(ValueLayout.JAVA_BYTE);
        System.arraycopy(head, 0, bytes, 0, head.length);
        bytes[4] = 77;
        control.send(bytes);
        assertEquals(Errno.EPROTO, control.receive().status());
        assertEquals("protocol version 77, the driver speaks " + ControlMessage.VERSION, control.message.text());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 1000, 1 << 17, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void depthMustBeAPowerOfTwoInRange(int depth) throws IOException {
        SharedRegion page = page();
        assertRefused(Errno.EINVAL, depth, SOCKETS, page.size(), page.fd());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65536, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void socketSlotsMustBeInRange(int sockets) throws IOException {
        SharedRegion page = page();
        assertRefused(Errno.EINVAL, DEPTH, sockets, page.size(), page.fd());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 4096, -4096, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40})
    void theSizeMustBeWhatTheLayoutNeeds(long size) throws IOException {
        SharedRegion page = page();
        assertRefused(Errno.EINVAL, DEPTH, SOCKETS, size, page.fd());
    }

    @ParameterizedTest
    @ValueSource(longs = {4096, 36864, 45056, 1L << 30})
    void theObjectMustHaveItsDeclaredSize(long size) throws IOException {
        long right = page().size();
        assertRefused(Errno.EINVAL, DEPTH, SOCKETS, right, memfd(size, SharedRegion.REQUIRED_SEALS));
    }

    @Test
    void eachSealIsNeeded() throws IOException {
        long right = page().size();
        for (int missing : new int[] {
            SharedRegion.REQUIRED_SEALS,
            Memory.SEAL_SEAL,
            Memory.SEAL_SHRINK,
            Memory.SEAL_GROW,
            Memory.SEAL_FUTURE_WRITE
        }) {
            int seals = SharedRegion.REQUIRED_SEALS & ~missing;
            control.close();
            control = new RawControl(fixture.driver.driver.connect());
            assertRefused(Errno.EINVAL, DEPTH, SOCKETS, right, memfd(right, seals));
            assertTrue(fixture.log.messages(Level.WARNING).isEmpty());
        }
    }

    @Test
    void theDescriptorMustBeAMemoryObject() throws IOException {
        long right = page().size();
        List<Fd> others = new ArrayList<>();
        UnixSocket[] sockets = UnixSocket.pair(UnixSocket.Type.STREAM);
        opened.addAll(List.of(sockets));
        others.add(sockets[0].fd());
        Pipe pipe = Pipe.open();
        opened.add(pipe.source());
        opened.add(pipe.sink());
        others.add(TestFds.of(pipe.source()));
        Path file = Files.createTempFile("faults", ".page");
        opened.add(() -> Files.delete(file));
        Files.write(file, new byte[(int) right]);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        opened.add(channel);
        others.add(TestFds.find(file.toString()::equals));
        Path directory = Files.createTempDirectory("faults-dir");
        opened.add(() -> Files.delete(directory));
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            others.add(TestFds.find(directory.toString()::equals));
            for (Fd other : others) {
                control.close();
                control = new RawControl(fixture.driver.driver.connect());
                assertRefused(Errno.EINVAL, DEPTH, SOCKETS, right, other);
            }
            assertFalse(stream.iterator().hasNext());
        }
    }

    @Test
    void exactlyOneDescriptorIsNeeded() throws IOException {
        SharedRegion page = page();
        assertRefused(Errno.EINVAL, DEPTH, SOCKETS, page.size());
        control.close();
        control = new RawControl(fixture.driver.driver.connect());
        assertRefused(Errno.EINVAL, DEPTH, SOCKETS, page.size(), page.fd(), page.fd());
        control.close();
        control = new RawControl(fixture.driver.driver.connect());
        Fd[] eight = new Fd[UnixSocket.MAX_FDS];
        Arrays.fill(eight, page.fd());
        assertRefused(Errno.EINVAL, DEPTH, SOCKETS, page.size(), eight);
    }

    @Test
    void attachingTwiceIsRefused() throws IOException {
        RawClient hostile = fixture.hostile;
        SharedRegion page = page();
        hostile.request(ControlMessage.ATTACH).value(DEPTH).socketId(SOCKETS).argument(page.size());
        assertEquals(Errno.EPROTO, assertThrows(RawException.class, () -> hostile.call(page.fd())).errno);
        fixture.assertServed();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 17, 18, 19, 20, 999, 65535})
    void nothingElseIsServedBeforeAttach(int type) throws IOException {
        control.request(type);
        assertEquals(Errno.EPROTO, control.call().status());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 255, 257, 100_000})
    void aClientThatSendsAnInvalidRecordIsDisconnected(int length) throws IOException {
        control.send(new byte[length]);
        assertTrue(control.awaitEnd(30_000));
        assertTrue(fixture.log.has(Level.WARNING, "has not attached"));
        fixture.driver.awaitCounter(CounterType.REFUSALS, 1);
    }

    @Test
    void theLimitOfAttachmentsIsEnforced() throws IOException {
        try (TestDriver small = new TestDriver(new DriverContext().maxProcesses(2));
                RawClient two = small.attach()) {
            try (RawClient one = small.attach()) {
                RawException refused = assertThrows(RawException.class, small::attach);
                assertEquals(Errno.EMFILE, refused.errno);
                one.socket();
            }
            small.awaitCounter(CounterType.PROCESSES, 1);
            small.attach().close();
            two.socket();
        }
    }

    @Test
    void attachingAndLeavingInALoopLeavesNothing() throws IOException {
        int before = TestFds.kernelObjects(0);
        for (int i = 0; i < 50; i++) {
            fixture.driver.attach().close();
        }
        fixture.driver.awaitCounter(CounterType.PROCESSES, 3);
        TestDriver.await("descriptors", () -> TestFds.kernelObjects(0) == before);
    }
}
