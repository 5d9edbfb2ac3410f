// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.Completion;
import io.pipedevice.active.Grant;
import io.pipedevice.active.OperationException;
import io.pipedevice.active.QueuePair;
import io.pipedevice.active.Region;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteRegion;
import io.pipedevice.active.Right;
import io.pipedevice.active.Status;
import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.device.emulator.FaultPlan;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One-sided operations of this process, on regions of another attachment of it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RegionOperationsTest {
    private static final int SIZE = 3 << 20;
    private static final long PATIENCE_NS = TestDriver.PATIENCE_NS;

    /** A driver, an owner with a region, and a client that has found it. */
    private static final class Setting implements AutoCloseable {
        final TestDriver driver;
        final Regions owners;
        final Region table;
        final Regions clients;
        final RemoteRegion remote;
        final QueuePair queue;
        final Region buffer;

        Setting(DriverContext context) throws IOException {
            driver = new TestDriver(context);
            owners = Regions.attach(driver.driver);
            table = owners.register("table", SIZE, Grant.anyone(Right.READ, Right.WRITE, Right.ATOMIC));
            clients = Regions.attach(driver.driver, 128, 16);
            remote = clients.find("table", Right.READ);
            queue = clients.queuePair();
            buffer = clients.register(SIZE);
        }

        Setting() throws IOException {
            this(new DriverContext().path(DataPath.DEVICE));
        }

        Completion next() throws PdException {
            Completion completion = new Completion();
            assertTrue(queue.await(completion, PATIENCE_NS), "no completion");
            return completion;
        }

        @Override
        public void close() throws IOException {
            queue.close();
            remote.close();
            buffer.close();
            clients.close();
            table.close();
            owners.close();
            driver.awaitNothingLeft();
            driver.close();
        }
    }

    private static void fill(MemorySegment memory, Random random) {
        byte[] bytes = new byte[(int) memory.byteSize()];
        random.nextBytes(bytes);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"emulator", "model", "model,emulator"})
    void copiesOfAnySizeAndPlaceMoveTheirBytesAndNoOthers(String devices) throws IOException {
        Random random = new Random(7);
        try (Setting setting =
                new Setting(new DriverContext().path(DataPath.DEVICE).devices(devices))) {
            MemorySegment expected = MemorySegment.ofArray(new byte[SIZE]);
            fill(setting.buffer.memory(), random);
            for (int i = 0; i < 60; i++) {
                int length = 1 + random.nextInt(i % 2 == 0 ? 300 : 400_000);
                int from = random.nextInt(SIZE - length);
                int to = random.nextInt(SIZE - length);
                setting.queue.write(setting.remote, to, setting.buffer, from, length);
                MemorySegment.copy(setting.buffer.memory(), from, expected, to, length);
            }
            assertEquals(-1, setting.table.memory().mismatch(expected));
            setting.queue.read(setting.remote, 0, setting.buffer, 0, SIZE);
            assertEquals(-1, setting.buffer.memory().mismatch(expected));
        }
    }

    @Test
    void aBatchIsCompletedInItsOrder() throws IOException {
        try (Setting setting = new Setting()) {
            QueuePair queue = setting.queue;
            setting.buffer.memory().set(ValueLayout.JAVA_LONG, 0, 42);
            for (int round = 0; round < 100; round++) {
                assertTrue(queue.write(1, setting.remote, 64, setting.buffer, 0, 100_000));
                assertTrue(queue.fetchAndAdd(2, setting.remote, 64, round));
                assertTrue(queue.fence(3));
                assertTrue(queue.read(4, setting.remote, 64, setting.buffer, 1 << 20, 8));
                assertTrue(queue.put(5, setting.remote, 64, 1));
                queue.flush();
                for (int id = 1; id <= 5; id++) {
                    Completion completion = setting.next();
                    assertEquals(id, completion.id());
                    assertEquals(Status.OK, completion.status());
                    assertEquals(id == 2 ? 42 : id == 5 ? 42 + round : 0, id == 5 ? 42 + round : completion.value());
                }
                assertEquals(42 + round, setting.buffer.memory().get(ValueLayout.JAVA_LONG, 1 << 20));
                assertFalse(queue.poll(new Completion()));
            }
        }
    }

    @Test
    void aFullQueueTakesNoMoreUntilCompletionsAreTaken() throws IOException {
        try (Setting setting = new Setting()) {
            int posted = 0;
            while (setting.queue.fetchAndAdd(posted, setting.remote, 0, 1)) {
                posted++;
            }
            assertEquals(16, posted);
            setting.queue.flush();
            for (int i = 0; i < posted; i++) {
                assertEquals(i, setting.next().value());
            }
            assertEquals(16, setting.queue.fetchAndAdd(setting.remote, 0, 1));
        }
    }

    @Test
    void theProcessThatOperatesIsChargedForItsBytesAndForTheEnginesTime() throws IOException {
        try (Setting setting = new Setting()) {
            setting.queue.write(setting.remote, 0, setting.buffer, 0, SIZE);
            setting.queue.read(setting.remote, 0, setting.buffer, 0, SIZE);
            setting.driver.awaitCounter(CounterType.PROCESS_SENT, 2L * SIZE);
            setting.driver.awaitAtLeast(CounterType.PROCESS_ENGINE_NS, 2L * SIZE / 16);
            setting.driver.awaitAtLeast(CounterType.PROCESS_SEND_MEMORY, 2L * SIZE);
        }
    }

    @Test
    void aRegionBeyondTheQuotaIsRefused() throws IOException {
        try (Setting setting = new Setting(new DriverContext().maxMemory(8 << 20))) {
            PdException refused = assertThrows(PdException.class, () -> setting.clients.register(8 << 20));
            assertEquals(Errno.ENOBUFS, refused.errno());
            setting.clients.register(1 << 20).close();
        }
    }

    @Test
    void manyQueuePairsAreAllServed() throws Exception {
        try (Setting setting = new Setting()) {
            List<QueuePair> queues = new ArrayList<>();
            for (int i = 0; i < 127; i++) {
                queues.add(setting.clients.queuePair());
            }
            assertEquals(
                    Errno.EMFILE,
                    assertThrows(PdException.class, setting.clients::queuePair).errno());
            for (int round = 0; round < 20; round++) {
                for (QueuePair queue : queues) {
                    assertTrue(queue.fetchAndAdd(round, setting.remote, 8, 1));
                    queue.flush();
                }
                for (QueuePair queue : queues) {
                    Completion completion = new Completion();
                    assertTrue(queue.await(completion, PATIENCE_NS));
                    assertEquals(round, completion.id());
                }
            }
            assertEquals(20L * 127, setting.queue.get(setting.remote, 8));
            queues.forEach(QueuePair::close);
        }
    }

    @Test
    void whatIsNotPermittedEndsWithItsStatus() throws IOException {
        try (Setting setting = new Setting()) {
            QueuePair queue = setting.queue;
            assertStatus(Status.RANGE, () -> queue.read(setting.remote, SIZE - 7, setting.buffer, 0, 8));
            assertStatus(Status.RANGE, () -> queue.write(setting.remote, -1, setting.buffer, 0, 8));
            assertStatus(Status.RANGE, () -> queue.write(setting.remote, Long.MAX_VALUE, setting.buffer, 0, 8));
            assertStatus(Status.RANGE, () -> queue.write(setting.remote, 0, setting.buffer, 0, -8));
            assertStatus(Status.RANGE, () -> queue.get(setting.remote, SIZE));
            assertStatus(Status.BUFFER, () -> queue.write(setting.remote, 0, setting.buffer, SIZE - 7, 8));
            assertStatus(Status.BUFFER, () -> queue.write(setting.remote, 0, setting.table, 0, 8));
            assertStatus(Status.ALIGNMENT, () -> queue.fetchAndAdd(setting.remote, 12, 1));
            RemoteRegion released = setting.clients.find("table");
            released.close();
            assertStatus(Status.NO_REGION, () -> queue.put(released, 0, 1));
            try (RemoteRegion again = setting.clients.find("table")) {
                assertStatus(Status.NO_REGION, () -> queue.put(released, 0, 1));
                queue.put(again, 0, 1);
            }
            assertEquals(1, setting.table.memory().get(ValueLayout.JAVA_LONG, 0));
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private static void assertStatus(Status status, Step step) {
        assertEquals(status, assertThrows(OperationException.class, step::run).status());
    }

    @Test
    void namesBelongToOneRegionEach() throws IOException {
        try (Setting setting = new Setting()) {
            PdException taken = assertThrows(PdException.class, () -> setting.clients.register("table", 8));
            assertEquals(Errno.EEXIST, taken.errno());
            PdException none = assertThrows(PdException.class, () -> setting.clients.find("chair"));
            assertEquals(Errno.ENOENT, none.errno());
            assertThrows(PdException.class, () -> setting.clients.register("", 8));
            assertThrows(PdException.class, () -> setting.clients.register("x".repeat(65), 8));
            setting.clients.register("chair", 8).close();
            setting.clients.register("chair", 8).close();
        }
    }

    @Test
    void regionsBeginAndEndOnAnyThread() throws Exception {
        try (Setting setting = new Setting()) {
            List<FutureTask<Long>> tasks = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String name = "table " + i;
                FutureTask<Long> task = new FutureTask<>(() -> beginAndEnd(setting, name));
                tasks.add(task);
                Thread.ofPlatform().start(task);
            }
            for (FutureTask<Long> task : tasks) {
                assertEquals(50, task.get(PATIENCE_NS, TimeUnit.NANOSECONDS));
            }
        }
    }

    private static long beginAndEnd(Setting setting, String name) throws IOException {
        long sum = 0;
        try (QueuePair queue = setting.clients.queuePair()) {
            for (int round = 0; round < 50; round++) {
                try (Region own = setting.owners.register(name, 8, Grant.anyone(Right.ATOMIC));
                        RemoteRegion found = setting.clients.find(name, Right.ATOMIC)) {
                    assertEquals(0, queue.fetchAndAdd(found, 0, 1));
                    sum += own.memory().get(ValueLayout.JAVA_LONG, 0);
                }
            }
        }
        return sum;
    }

    /** As in the README of pd-active. */
    @Test
    void theExampleOfTheReadmeReadsARow() throws IOException {
        try (Setting setting = new Setting();
                Region orders = setting.owners.register(
                        "orders", 64_064, Grant.user(ProcessFacts.effectiveUid(), Right.READ, Right.ATOMIC))) {
            orders.memory().set(ValueLayout.JAVA_LONG, 0, 2007);
            orders.memory().setString(64 + 7 * 64, "row 7");
            assertEquals("row 7", example(setting.driver.directory));
            assertEquals(2008, orders.memory().get(ValueLayout.JAVA_LONG, 0));
        }
    }

    private static String example(Path directory) throws IOException {
        try (Regions regions = Regions.attach(io.pipedevice.client.DriverDirectory.at(directory));
                RemoteRegion table = regions.find("orders", Right.READ, Right.ATOMIC);
                Region buffer = regions.register(64);
                QueuePair queue = regions.queuePair()) {
            long ticket = queue.fetchAndAdd(table, 0, 1);
            queue.read(table, 64 + ticket % 1000 * 64, buffer, 0, 64);
            return buffer.memory().getString(0);
        }
    }

    /** Deregistration waits for the pieces of a transfer that have begun, not for all of it. */
    @Test
    void aRegionThatIsClosedUnderATransferEndsIt() throws IOException {
        try (Setting setting =
                new Setting(new DriverContext().path(DataPath.DEVICE).rate(8 << 20))) {
            assertTrue(setting.queue.read(1, setting.remote, 0, setting.buffer, 0, SIZE));
            setting.queue.flush();
            setting.table.close();
            assertEquals(Status.GONE, setting.next().status());
        }
    }

    @Test
    void aCopyThatTheDeviceFailsHasItsStatusAndLaterOnesGoOn() throws IOException {
        FaultPlan plan = new FaultPlan().fail(1, CommandType.STATUS_DEVICE).lose(3);
        DriverContext context = new DriverContext()
                .path(DataPath.DEVICE)
                .deviceTimeoutNs(TimeUnit.MILLISECONDS.toNanos(200))
                .device(plan.emulator(new DmaEmulator.Context()));
        try (Setting setting = new Setting(context)) {
            for (int id = 0; id < 6; id++) {
                setting.queue.write(id, setting.remote, 0, setting.buffer, 0, 100);
                setting.queue.fetchAndAdd(id, setting.remote, 128, 1);
            }
            setting.queue.flush();
            int failed = 0;
            for (int i = 0; i < 12; i++) {
                failed += setting.next().status() == Status.OK ? 0 : 1;
            }
            assertEquals(2, failed);
            assertEquals(6, setting.queue.get(setting.remote, 128));
            assertEquals(0, plan.left());
        }
    }

    /** A transfer that takes longer than any spin. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aThreadSleepsUntilItsOperationIsComplete(boolean virtual) throws Exception {
        try (Setting setting =
                new Setting(new DriverContext().path(DataPath.DEVICE).rate(16 << 20))) {
            FutureTask<Status> task = new FutureTask<>(() -> {
                setting.queue.write(1, setting.remote, 0, setting.buffer, 0, SIZE);
                Completion first = setting.next();
                return first.status();
            });
            Thread thread = virtual
                    ? Thread.startVirtualThread(task)
                    : Thread.ofPlatform().start(task);
            assertEquals(Status.OK, task.get(PATIENCE_NS, TimeUnit.NANOSECONDS));
            thread.join();
        }
    }

    @Test
    void aDriverThatEndsIsAnException() throws Exception {
        Setting setting = new Setting(new DriverContext().path(DataPath.DEVICE).rate(4096));
        setting.queue.write(1, setting.remote, 0, setting.buffer, 0, SIZE);
        setting.queue.flush();
        setting.driver.close();
        assertThrows(PdException.class, () -> setting.queue.await(new Completion(), PATIENCE_NS));
        assertFalse(setting.clients.isServed());
        setting.table.memory().set(ValueLayout.JAVA_LONG, 0, 1);
        setting.queue.close();
        setting.remote.close();
        setting.clients.close();
        setting.table.close();
        setting.owners.close();
    }
}
