// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.DeviceMapping;
import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Both engines keep the contract of a device. */
@ParameterizedClass
@EnumSource(CudaDevice.Engine.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class CudaDeviceTest {
    private static final int DEPTH = 64;
    private static final int LANES = 2;
    private static final int MAX_TRANSFER = 64 << 10;

    @Parameter
    private CudaDevice.Engine engine;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private CudaDevice device;
    private CudaFixture fixture;

    @BeforeEach
    void start() throws IOException {
        System.out.println("GPU as a device: seed " + seed);
        device = new CudaDevice(
                0,
                CudaFixture.parameters()
                        .engine(engine)
                        .lanes(LANES)
                        .queueDepth(DEPTH)
                        .maxTransfer(MAX_TRANSFER));
        fixture = new CudaFixture(device, seed);
    }

    @AfterEach
    void stop() throws IOException {
        fixture.close();
        if (!CudaFixture.GPU) {
            for (TestCuda.Counter counter : TestCuda.Counter.values()) {
                if (counter != TestCuda.Counter.LAUNCHES && counter != TestCuda.Counter.BYTES_COPIED) {
                    assertEquals(0, TestCuda.shared().count(counter), counter::name);
                }
            }
        }
    }

    @Test
    void copiesExactlyTheBytesOfACommand() {
        for (int i = 0; i < 300; i++) {
            int length = 1 + random.nextInt(i % 3 == 0 ? 40 : i % 3 == 1 ? 5000 : MAX_TRANSFER);
            long at = random.nextInt(CudaFixture.SIZE - length + 1);
            long target = 64L + random.nextInt(CudaFixture.SIZE - length - 128);
            if (i % 4 == 0) {
                target = (target & -16) + (at & 15);
            }
            MemorySegment around = fixture.destination.asSlice(target - 32, length + 64);
            around.fill((byte) i);
            assertTrue(fixture.submit(i % LANES, at, target, length, i));
            fixture.awaitCopied(i % LANES, i);
            fixture.assertCopied(at, target, length);
            for (int edge = 0; edge < 32; edge++) {
                assertEquals((byte) i, around.get(ValueLayout.JAVA_BYTE, edge));
                assertEquals((byte) i, around.get(ValueLayout.JAVA_BYTE, 32 + length + edge));
            }
        }
    }

    @Test
    void copiesWhatWasWrittenJustBefore() {
        for (int i = 0; i < 2000; i++) {
            long at = random.nextInt(64) * 8L;
            fixture.written.set(ValueLayout.JAVA_LONG, at, random.nextLong());
            fixture.submit(0, at, 0, 8, 1);
            fixture.awaitCopied(0, 1);
            fixture.assertCopied(at, 0, 8);
        }
    }

    @Test
    void completionsComeInTheOrderOfALane() {
        int length = 1000;
        int next = 0;
        for (int i = 0; i < 20 * DEPTH; i++) {
            while (!fixture.submit(1, i * 16L, (long) (i % DEPTH) * length, length, i)) {
                fixture.awaitCopied(1, next);
                fixture.assertCopied(next * 16L, (long) (next % DEPTH) * length, length);
                next++;
            }
        }
        assertEquals(DEPTH, device.lane(1).outstanding());
        while (device.lane(1).outstanding() > 0) {
            fixture.awaitCopied(1, next++);
        }
        assertEquals(20 * DEPTH, next);
    }

    @Test
    void refusesWhatIsNotMappedForTheAccess() {
        long from = fixture.from.address();
        long to = fixture.to.address();
        int size = CudaFixture.SIZE;
        long[][] addresses = {
            {from + size - 99, to},
            {from - 1, to},
            {from, to - 1},
            {from, to + size - 99},
            {to, from},
            {from, from},
            {0, to},
            {-1, to},
            {from, Long.MIN_VALUE}
        };
        for (int i = 0; i < addresses.length; i++) {
            assertTrue(fixture.submit(0, 0, 0, 10, 100));
            assertTrue(fixture.submitAt(0, addresses[i][0], addresses[i][1], 100, i));
            fixture.awaitCopied(0, 100);
            Command refused = fixture.await(0);
            assertEquals(CommandType.STATUS_ADDRESS, refused.tag());
            assertEquals(i, refused.entrySequence());
        }
    }

    @Test
    void refusesOtherLengthsAndTypes() {
        fixture.submit(0, 0, 0, 0, 1);
        assertEquals(CommandType.STATUS_LENGTH, fixture.await(0).tag());
        fixture.submit(0, 0, 0, MAX_TRANSFER + 1, 1);
        assertEquals(CommandType.STATUS_LENGTH, fixture.await(0).tag());
        device.lane(0)
                .submit(new Command()
                        .set(CommandType.CLOSE, fixture.from.address(), fixture.to.address(), 8, 1, 2, 3, 4, 0));
        assertEquals(CommandType.STATUS_TYPE, fixture.await(0).tag());
    }

    @Test
    void goesOnAfterAPause() {
        for (int i = 0; i < 10; i++) {
            fixture.submit(0, i, i, 100, i);
            fixture.awaitCopied(0, i);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(i));
        }
    }

    @Test
    void goesOnForLongerThanATurn() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
        int i = 0;
        while (System.nanoTime() - end < 0) {
            fixture.submit(0, i % 1000, 0, 3000, i & 0xFFFF);
            fixture.awaitCopied(0, i & 0xFFFF);
            fixture.assertCopied(i % 1000, 0, 3000);
            i++;
        }
    }

    @Test
    void promisesNoInterruptWhileCommandsAreUnderWay() {
        assertTrue(device.lane(0).requestInterrupt());
        fixture.submit(0, 0, 0, 100, 1);
        assertFalse(device.lane(0).requestInterrupt());
        fixture.awaitCopied(0, 1);
        assertTrue(device.lane(0).requestInterrupt());
    }

    @Test
    void memoryIsNotTouchedAfterItIsUnmapped() throws IOException {
        for (int round = 0; round < 5; round++) {
            try (Arena own = Arena.ofShared()) {
                MemorySegment memory = own.allocate(MAX_TRANSFER, 4096);
                DeviceMapping mapping = device.map(memory, Access.WRITE);
                long address = mapping.address();
                for (int i = 0; i < 10; i++) {
                    assertTrue(fixture.submitAt(i % LANES, fixture.from.address() + i, address, MAX_TRANSFER, i));
                }
                mapping.close();
                mapping.close();
                memory.fill((byte) 7);
                assertTrue(fixture.submitAt(0, fixture.from.address(), address, 10, 99));
                for (int i = 0; i < 10; i += LANES) {
                    fixture.awaitCopied(0, i);
                }
                assertEquals(CommandType.STATUS_ADDRESS, fixture.await(0).tag());
                for (int i = 1; i < 10; i += LANES) {
                    fixture.awaitCopied(1, i);
                }
                for (long i = 0; i < MAX_TRANSFER; i++) {
                    assertEquals(7, memory.get(ValueLayout.JAVA_BYTE, i));
                }
            }
            fixture.submit(1, 5, 6, 700, 1);
            fixture.awaitCopied(1, 1);
            fixture.assertCopied(5, 6, 700);
        }
    }

    @Test
    void aResetCompletesEverythingAndTheDeviceGoesOn() throws IOException {
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < DEPTH; i++) {
                assertTrue(fixture.submit(0, i * 8L, i * 10_000L, 10_000, i));
            }
            device.reset();
            for (int i = 0; i < DEPTH; i++) {
                Command completion = new Command();
                assertTrue(device.lane(0).complete(completion));
                assertEquals(i, completion.entrySequence());
                if (completion.tag() == CommandType.STATUS_OK) {
                    fixture.assertCopied(i * 8L, i * 10_000L, 10_000);
                } else {
                    assertEquals(CommandType.STATUS_RESET, completion.tag());
                }
            }
            assertEquals(0, device.lane(0).outstanding());
            fixture.submit(0, 3, 0, 5000, 9);
            fixture.awaitCopied(0, 9);
            fixture.assertCopied(3, 0, 5000);
        }
    }

    @Test
    void canBeClosedWhileItCopies() {
        for (int i = 0; i < DEPTH; i++) {
            fixture.submit(i % LANES, 0, 0, MAX_TRANSFER, i);
        }
        device.close();
        device.close();
        assertThrows(IOException.class, device::reset);
        assertThrows(IOException.class, () -> device.map(fixture.destination, Access.WRITE));
    }

    @Test
    void worksOnWhateverThreadUsesIt() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            int entry = i;
            Thread other = new Thread(() -> {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                fixture.submit(0, entry, entry, 100, entry);
                fixture.awaitCopied(0, entry);
            });
            Throwable[] thrown = new Throwable[1];
            other.setUncaughtExceptionHandler((thread, e) -> thrown[0] = e);
            other.start();
            other.join();
            assertEquals(null, thrown[0]);
        }
    }

    @Test
    void mapsWholePagesOfNativeMemoryThatMayBeAccessed() {
        MemorySegment heap = MemorySegment.ofArray(new byte[4096]);
        assertThrows(IllegalArgumentException.class, () -> device.map(heap, Access.READ));
        MemorySegment part = fixture.destination.asSlice(16, 4096);
        assertThrows(IllegalArgumentException.class, () -> device.map(part, Access.READ));
        assertThrows(IllegalArgumentException.class, () -> device.map(fixture.source, Access.WRITE));
        IOException twice = assertThrows(IOException.class, () -> device.map(fixture.destination, Access.WRITE));
        assertTrue(twice.getMessage().contains("ALREADY_REGISTERED"), twice::getMessage);
    }
}
