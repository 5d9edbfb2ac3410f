// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pipedevice.active.Grant;
import io.pipedevice.active.QueuePair;
import io.pipedevice.active.Region;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteRegion;
import io.pipedevice.active.Right;
import io.pipedevice.active.operation.OperationPageDescriptor;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.LentRegion;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages, memory and words that no honest process makes: they harm the driver and other processes in nothing. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RegionHostileTest {
    private static final int QUEUES = 64;
    private static final int DEPTH = 16;
    private static final int SIZE = 8192;

    private TestDriver driver;
    private RawClient hostile;
    private Regions honest;
    private Region table;

    @BeforeEach
    void start() throws IOException {
        driver = new TestDriver();
        hostile = RawClient.attach(driver.driver);
        honest = Regions.attach(driver.driver);
        table = honest.register("table", SIZE, Grant.anyone(Right.ATOMIC));
    }

    @AfterEach
    void othersGoOnAndNothingIsLeft() throws IOException {
        try (RemoteRegion remote = honest.find("table");
                QueuePair queue = honest.queuePair()) {
            long before = table.memory().get(ValueLayout.JAVA_LONG, 8);
            assertEquals(before, queue.fetchAndAdd(remote, 8, 1));
        }
        table.close();
        honest.close();
        hostile.close();
        driver.awaitNothingLeft();
        driver.close();
    }

    private static int refused(org.junit.jupiter.api.function.Executable step) {
        return assertThrows(RawException.class, step).errno;
    }

    private ControlMessage register(long size, Fd... memory) throws IOException {
        new RegionMessage(hostile.request(RegionMessage.REGISTER)).size(size);
        return hostile.call(memory);
    }

    private interface Maker {
        void make(Fd fd) throws IOException;
    }

    private void assertRefused(int errno, long size, Maker maker) throws IOException {
        try (Fd fd = Memory.memfd("pd-test", Memory.PageSize.NORMAL)) {
            maker.make(fd);
            assertEquals(Errno.name(errno), Errno.name(refused(() -> register(size, fd))));
        }
    }

    private static void sized(Fd fd, int seals) throws IOException {
        Memory.resize(fd, SIZE);
        Memory.allocate(fd, 0, SIZE);
        Memory.addSeals(fd, seals);
    }

    @Test
    void memoryThatIsNotLentAsItMustBeIsRefused() throws IOException {
        int needed = Memory.SEAL_SHRINK | Memory.SEAL_GROW;
        assertRefused(Errno.EINVAL, SIZE, fd -> sized(fd, Memory.SEAL_GROW));
        assertRefused(Errno.EINVAL, SIZE, fd -> sized(fd, Memory.SEAL_SHRINK));
        assertRefused(Errno.EINVAL, SIZE, fd -> sized(fd, needed | Memory.SEAL_FUTURE_WRITE));
        assertRefused(Errno.EINVAL, SIZE, fd -> sized(fd, needed | Memory.SEAL_SEAL));
        assertRefused(Errno.EINVAL, 2 * SIZE, fd -> sized(fd, needed));
        assertRefused(Errno.EINVAL, Long.MAX_VALUE, fd -> sized(fd, needed));
        assertRefused(Errno.EINVAL, -1, fd -> sized(fd, needed));
        assertRefused(Errno.ENOBUFS, 1L << 40, fd -> sized(fd, needed));
        assertRefused(Errno.ENOMEM, SIZE, fd -> {
            Memory.resize(fd, SIZE);
            Memory.allocate(fd, 0, SIZE / 2);
            Memory.addSeals(fd, needed);
        });
        assertEquals(Errno.EINVAL, refused(() -> register(SIZE)));
    }

    @Test
    void aRegionCanNeitherBeMappedWritableNorLosePagesNorBeRegisteredTwice() throws IOException {
        try (LentRegion memory = LentRegion.create("pd-test", SIZE);
                Arena arena = Arena.ofConfined()) {
            register(SIZE, memory.fd());
            assertThrows(LinuxException.class, () -> Memory.map(memory.fd(), 0, SIZE, true, arena));
            assertThrows(LinuxException.class, () -> Memory.resize(memory.fd(), 0));
            assertEquals(SharedRegion.REQUIRED_SEALS, Memory.seals(memory.fd()) & SharedRegion.REQUIRED_SEALS);
            assertEquals(Errno.EINVAL, refused(() -> register(SIZE, memory.fd())));
        }
    }

    @Test
    void handlesOfOthersMeanNothing() throws IOException {
        for (int type :
                new int[] {RegionMessage.GRANT, RegionMessage.PUBLISH, RegionMessage.DEREGISTER, RegionMessage.RELEASE
                }) {
            for (int handle : new int[] {0, 1, 0x10000, 0x10001, 0x20000, -1, Integer.MIN_VALUE}) {
                assertEquals(Errno.EINVAL, refused(() -> {
                    new RegionMessage(hostile.request(type)).handle(handle).text("other");
                    hostile.call();
                }));
            }
        }
    }

    @Test
    void anOwnerThatMakesNoSenseIsRefused() throws IOException {
        assertEquals(Errno.ENOENT, refused(() -> find(RegionMessage.USER | RegionMessage.CONTAINER, "4f1c2d3e")));
        assertEquals(Errno.EINVAL, refused(() -> find(RegionMessage.CONTAINER, "4f1c2d3")));
        assertEquals(Errno.EINVAL, refused(() -> find(RegionMessage.CONTAINER, "")));
        assertEquals(Errno.EINVAL, refused(() -> find(4, "4f1c2d3e")));
        assertEquals(Errno.EINVAL, refused(() -> find(-1, "4f1c2d3e")));
    }

    private void find(int subject, String container) throws IOException {
        new RegionMessage(hostile.request(RegionMessage.FIND))
                .subject(subject, 0)
                .texts("none", container);
        hostile.call();
    }

    private SharedRegion open(int queues, int depth, long size) throws IOException {
        SharedRegion page = SharedRegion.create("pd-operations", size, false);
        page.allocate(0, page.size());
        new RegionMessage(hostile.request(RegionMessage.OPEN_QUEUES))
                .queues(queues, depth)
                .size(page.size());
        try {
            hostile.call(page.fd());
            return page;
        } catch (IOException e) {
            page.close();
            throw e;
        }
    }

    @Test
    void queuePairsOfAnotherNumberOrDepthAreRefused() throws IOException {
        long size = OperationPageDescriptor.length(DEPTH, QUEUES);
        assertEquals(Errno.EINVAL, refused(() -> open(0, DEPTH, size)));
        assertEquals(Errno.EINVAL, refused(() -> open(OperationPageDescriptor.MAX_QUEUES + 1, DEPTH, size)));
        assertEquals(Errno.EINVAL, refused(() -> open(QUEUES, 3, size)));
        assertEquals(Errno.EINVAL, refused(() -> open(QUEUES, 512, size)));
        assertEquals(Errno.EINVAL, refused(() -> open(QUEUES, DEPTH, size - 4096)));
        assertEquals(Errno.EINVAL, refused(() -> open(-1, DEPTH, size)));
        try (SharedRegion page = open(QUEUES, DEPTH, size)) {
            assertEquals(Errno.EINVAL, refused(() -> open(QUEUES, DEPTH, page.size())));
        }
    }

    @Test
    void anyWordsInTheOperationPageReachNothing() throws IOException {
        Random random = new Random(11);
        long before = table.memory().get(ValueLayout.JAVA_LONG, 0);
        try (SharedRegion page = open(QUEUES, DEPTH, OperationPageDescriptor.length(DEPTH, QUEUES));
                LentRegion own = LentRegion.create("pd-test", SIZE)) {
            register(SIZE, own.fd());
            MemorySegment words = page.memory();
            for (int i = 0; i < 200_000; i++) {
                long offset = 64 + (long) random.nextInt((int) (words.byteSize() - 64) / 8) * 8;
                long value = random.nextInt(3) == 0 ? random.nextInt(8) : random.nextLong();
                words.set(ValueLayout.JAVA_LONG, offset, value);
                if (random.nextInt(4) == 0) {
                    words.set(ValueLayout.JAVA_LONG, OperationPageDescriptor.activity(0), random.nextLong());
                }
            }
        }
        assertEquals(before, table.memory().get(ValueLayout.JAVA_LONG, 0));
    }
}
