// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.jdk.Literals;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmStatTest {
    private final ByteBuffer page =
            ByteBuffer.allocate(StatPageDescriptor.LENGTH).order(ByteOrder.LITTLE_ENDIAN);

    private void honest(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        page.putLong(StatPageDescriptor.MAGIC_OFFSET, StatPageDescriptor.MAGIC);
        page.putLong(StatPageDescriptor.VERSION_OFFSET, StatPageDescriptor.VERSION);
        page.putLong(StatPageDescriptor.NAME_LENGTH_OFFSET, bytes.length);
        page.put(StatPageDescriptor.NAME_OFFSET, bytes);
    }

    @Test
    void pageIsReadAsItWasWritten() {
        honest("org.example.Main");
        page.putLong(StatPageDescriptor.PID_OFFSET, 7);
        page.putLong(StatPageDescriptor.CLIENT_OFFSET, 5);
        page.putLong(StatPageDescriptor.ACCEPTED_OFFSET, 4);
        page.putLong(StatPageDescriptor.ENDED_OFFSET, 3);
        page.putLong(StatPageDescriptor.RING_BYTES_OFFSET, 21);
        page.putLong(StatPageDescriptor.RING_BUDGET_OFFSET, 22);
        page.putLong(StatPageDescriptor.GROWTHS_REFUSED_OFFSET, 23);
        page.putLong(StatPageDescriptor.WRITES_CUT_OFFSET, 11);
        page.putLong(StatPageDescriptor.WRITES_WAITED_OFFSET, 12);
        page.putLong(StatPageDescriptor.sentOffset(0), 1);
        page.putLong(StatPageDescriptor.sentOffset(StatPageDescriptor.PARTS - 1), 2);
        page.putLong(StatPageDescriptor.receivedOffset(1), 30);
        page.putLong(StatPageDescriptor.reasonOffset(KernelReason.NO_MEMORY.id()), 9);
        page.putLong(StatPageDescriptor.reasonOffset(StatPageDescriptor.REASONS - 1), 8);
        JvmStat stat = JvmStat.parse(99, page);
        assertNotNull(stat);
        assertEquals(99, stat.pid());
        assertEquals(7, stat.ownPid());
        assertEquals("org.example.Main", stat.program());
        assertEquals(5, stat.client());
        assertEquals(4, stat.accepted());
        assertEquals(6, stat.open());
        assertEquals(11, stat.writesCut());
        assertEquals(21, stat.ringBytes());
        assertEquals(22, stat.ringBudget());
        assertEquals(23, stat.growthsRefused());
        assertEquals(12, stat.writesWaited());
        assertEquals(3, stat.bytesSent());
        assertEquals(30, stat.bytesReceived());
        assertEquals(Map.of("no memory", 9L, "reason 71", 8L), stat.onKernel());
    }

    @Test
    void endsOnTheKernelAreReadAsTheyWereWritten() throws Exception {
        StatPage written = StatPage.unpublished();
        KernelEnds ends = new KernelEnds(written);
        InetAddress four = Literals.address("10.1.2.3");
        InetAddress six = Literals.address("fe80::ffff:1");
        ends.count(KernelReason.PEER_NOT_LOCAL, true, four, 65535);
        ends.count(KernelReason.NOT_PIPEDEVICE_PEER, false, six, 1);
        ends.count(KernelReason.PEER_NOT_LOCAL, true, four, 65535);
        copy(written);
        List<KernelEnd> seen = JvmStat.parse(1, page).kernelEnds();
        assertEquals(
                List.of(
                        new KernelEnd("peer not local", true, four, 65535, 2),
                        new KernelEnd("not pipedevice peer", false, six, 1, 1)),
                seen);
    }

    @Test
    void endsThatFindNoRoomAreLeftOut() {
        StatPage written = StatPage.unpublished();
        KernelEnds ends = new KernelEnds(written);
        for (int port = 1; port <= 2 * StatPageDescriptor.ENDS; port++) {
            ends.count(KernelReason.NO_MEMORY, true, InetAddress.getLoopbackAddress(), port);
        }
        copy(written);
        List<KernelEnd> seen = JvmStat.parse(1, page).kernelEnds();
        assertEquals(JvmStat.MOST_KERNEL_ENDS, seen.size());
        assertEquals(StatPageDescriptor.ENDS, seen.getLast().port());
    }

    @Test
    void endsOfManyThreadsAddUp() throws Exception {
        StatPage written = StatPage.unpublished();
        KernelEnds ends = new KernelEnds(written);
        InetAddress address = InetAddress.getLoopbackAddress();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Void>> work = Collections.nCopies(4, () -> {
                for (int i = 0; i < 3000; i++) {
                    ends.count(KernelReason.NO_RENDEZVOUS, true, address, i % 3);
                }
                return null;
            });
            for (Future<Void> one : threads.invokeAll(work)) {
                one.get();
            }
        }
        copy(written);
        assertEquals(
                Map.of(0, 4000L, 1, 4000L, 2, 4000L),
                JvmStat.parse(1, page).kernelEnds().stream()
                        .collect(Collectors.toMap(KernelEnd::port, KernelEnd::count)));
    }

    private void copy(StatPage from) {
        for (int offset = 0; offset < StatPageDescriptor.LENGTH; offset += Long.BYTES) {
            page.putLong(offset, from.get(offset));
        }
        honest("Main");
    }

    @Test
    void pageHasTheReasonWhyPipeDeviceIsOff() {
        StatPage written = StatPage.unpublished();
        written.describeOff("no memory");
        copy(written);
        assertEquals("no memory", JvmStat.parse(1, page).whyOff());
    }

    @Test
    void pageHasTheSwitchedClassesThatFit() {
        StatPage written = StatPage.unpublished();
        String longName = "x".repeat(StatPageDescriptor.MAX_SWITCHED - 6);
        for (String each : List.of("a.b\u0007c", longName, "tail")) {
            written.describeSwitched(each);
        }
        copy(written);
        assertEquals(List.of("a.b?c", "tail"), JvmStat.parse(1, page).switched());
    }

    @Test
    void areasOfThePageDoNotOverlap() {
        assertTrue(StatPageDescriptor.NAME_OFFSET + StatPageDescriptor.MAX_NAME <= StatPageDescriptor.CLIENT_OFFSET);
        for (KernelReason reason : KernelReason.values()) {
            assertTrue(reason.id() >= 0 && reason.id() < StatPageDescriptor.REASONS);
            assertEquals(reason.text(), KernelReason.text(reason.id()));
        }
        assertTrue(StatPageDescriptor.reasonOffset(StatPageDescriptor.REASONS) <= StatPageDescriptor.WRITES_CUT_OFFSET);
        assertTrue(StatPageDescriptor.WRITES_WAITED_OFFSET + Long.BYTES <= StatPageDescriptor.sentOffset(0));
        assertTrue(StatPageDescriptor.sentOffset(StatPageDescriptor.PARTS) <= StatPageDescriptor.receivedOffset(0));
        assertTrue(StatPageDescriptor.receivedOffset(StatPageDescriptor.PARTS) <= StatPageDescriptor.endOffset(0));
        assertTrue(StatPageDescriptor.endOffset(StatPageDescriptor.ENDS) <= StatPageDescriptor.WHY_OFF_LENGTH_OFFSET);
        assertTrue(StatPageDescriptor.WHY_OFF_OFFSET + StatPageDescriptor.MAX_WHY_OFF
                <= StatPageDescriptor.SWITCHED_LENGTH_OFFSET);
        assertTrue(StatPageDescriptor.SWITCHED_OFFSET + StatPageDescriptor.MAX_SWITCHED <= StatPageDescriptor.LENGTH);
    }

    @Test
    void invalidPagesAndOtherVersionsAreLeftOut() {
        honest("x");
        page.putLong(StatPageDescriptor.VERSION_OFFSET, StatPageDescriptor.VERSION + 1);
        assertNull(JvmStat.parse(1, page));
        honest("x");
        page.putLong(StatPageDescriptor.MAGIC_OFFSET, 0);
        assertNull(JvmStat.parse(1, page));
        honest("x");
        assertNull(JvmStat.parse(1, page.limit(StatPageDescriptor.LENGTH - 1)));
        page.clear();
        for (long length : new long[] {-1, 257, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32}) {
            honest("x");
            page.putLong(StatPageDescriptor.NAME_LENGTH_OFFSET, length);
            assertNull(JvmStat.parse(1, page));
            honest("x");
            page.putLong(StatPageDescriptor.WHY_OFF_LENGTH_OFFSET, length);
            assertNull(JvmStat.parse(1, page));
            page.putLong(StatPageDescriptor.WHY_OFF_LENGTH_OFFSET, 0);
            page.putLong(StatPageDescriptor.SWITCHED_LENGTH_OFFSET, length == 257 ? 505 : length);
            assertNull(JvmStat.parse(1, page));
            page.putLong(StatPageDescriptor.SWITCHED_LENGTH_OFFSET, 0);
        }
    }

    @Test
    void pageOfAnotherVersionIsRecognisedWhateverItsLength(@TempDir Path directory) throws Exception {
        honest("x");
        assertFalse(JvmStat.isOfAnotherVersion(page));
        page.putLong(StatPageDescriptor.VERSION_OFFSET, StatPageDescriptor.VERSION + 1);
        assertTrue(JvmStat.isOfAnotherVersion(page));
        Path file = directory.resolve("page");
        for (int length : new int[] {16, StatPageDescriptor.LENGTH, 2 * StatPageDescriptor.LENGTH}) {
            Files.write(file, Arrays.copyOf(page.array(), length));
            assertTrue(JvmStat.isOfAnotherVersion(file), length + " bytes");
            assertNull(JvmStat.of(1, file));
        }
        Files.write(file, Arrays.copyOf(page.array(), 15));
        assertFalse(JvmStat.isOfAnotherVersion(file));
        page.putLong(StatPageDescriptor.MAGIC_OFFSET, 0);
        assertFalse(JvmStat.isOfAnotherVersion(page));
        assertFalse(JvmStat.isOfAnotherVersion(directory.resolve("none")));
    }

    @Test
    void controlCharactersOfANameAreReplaced() {
        honest("\u001b[2Jroot\r\n\u009b\u00e9");
        assertEquals("?[2Jroot????", JvmStat.parse(1, page).program());
    }

    @Test
    void whateverAPageContainsNothingIsThrownOrNegative() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            random.nextBytes(page.array());
            honest("Main");
            page.putLong(StatPageDescriptor.WHY_OFF_LENGTH_OFFSET, random.nextInt(StatPageDescriptor.MAX_WHY_OFF));
            page.putLong(StatPageDescriptor.SWITCHED_LENGTH_OFFSET, random.nextInt(StatPageDescriptor.MAX_SWITCHED));
            JvmStat stat = JvmStat.parse(1, page);
            String message = "seed " + seed + ": " + stat;
            assertTrue(stat.open() >= 0 && stat.client() >= 0 && stat.accepted() >= 0, message);
            assertTrue(stat.bytesSent() >= 0 && stat.bytesReceived() >= 0, message);
            assertTrue(stat.kernelEnds().stream().allMatch(end -> end.count() > 0), message);
            assertTrue(stat.onKernel().values().stream().allMatch(value -> value > 0), message);
        }
    }
}
