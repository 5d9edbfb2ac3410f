// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.share.ProcessCounters;
import io.pipedevice.driver.share.ProcessLimits;
import io.pipedevice.linux.Disposal;
import io.pipedevice.memory.QuotaExceededException;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The account of a process's memory, and what happens at its limits. */
final class ProcessMemoryTest {
    private static final int DEPTH = 64;
    private static final int SOCKETS = 4;
    private static final int RING = 64 << 10;
    private static final int MOST_DESCRIPTORS = 3;
    private static final long MOST_MEMORY = 1 << 20;

    private final DmaEmulator device = new DmaEmulator(new DmaEmulator.Context());
    private final DriverCounters counters = new DriverCounters(1, device.health());
    private final Chores chores = new Chores();
    private final Disposal disposal = new Disposal();
    private final ProcessPages pages = new ProcessPages(
            SharedRegion.create("pd-lib", LibPageDescriptor.length(DEPTH, SOCKETS), false),
            SharedRegion.create("pd-driver", DriverPageDescriptor.length(SOCKETS), false),
            DEPTH,
            SOCKETS);
    private final ProcessCounters own = new ProcessCounters(counters, 1, "test");
    private final List<Integer> forgotten = new ArrayList<>();
    private final Identity identity =
            Identity.ofProcess((int) ProcessHandle.current().pid());
    private final ContainerUse use = new ContainerUse(identity);

    /** Besides regions. */
    private int doorbells;

    private final ProcessMemory memory = new ProcessMemory(
            new AttachmentTerms(
                    1, identity, use, new ProcessLimits(SOCKETS, MOST_MEMORY, MOST_MEMORY, 0, MOST_DESCRIPTORS), own),
            pages,
            new DriverMemory(1L << 40, device, false, disposal, chores, counters),
            this::descriptors,
            forgotten::add);

    ProcessMemoryTest() throws IOException {}

    private int descriptors() {
        return memory.regions() + doorbells;
    }

    private void closeAll() {
        while (memory.closeSome()) {
            // The next one.
        }
    }

    @AfterEach
    void close() {
        closeAll();
        memory.closePages();
        while (chores.run(0, false) > 0) {
            // The next ones.
        }
        own.close();
        device.close();
        counters.close();
        disposal.close();
    }

    private SharedRegion region() throws IOException {
        return SharedRegion.create("pd-region", RING, false);
    }

    @Test
    void thePagesCountFromTheBeginning() {
        assertEquals(pages.lib().size(), memory.sendMemory());
        assertEquals(pages.lib().size() + pages.driver().size(), own.memory());
        assertEquals(0, memory.regions());
    }

    @Test
    void aSendRegionCountsUntilItIsUnmapped() throws IOException {
        memory.addSendRegion(7, region());
        assertEquals(pages.lib().size() + RING, memory.sendMemory());
        assertEquals(1, memory.regions());
        memory.sendRegions.remove(7).remove();
        assertEquals(pages.lib().size(), memory.sendMemory());
        assertEquals(0, memory.regions());
    }

    @Test
    void aRegionOfReceiveRingsIsAnnouncedOnceAndForgottenOnce() throws IOException {
        RingBuffer ring = memory.receivePool.take(RING, RING);
        assertTrue(memory.announce(ring.region()));
        assertFalse(memory.announce(ring.region()));
        memory.receivePool.give(ring);
        closeAll();
        assertEquals(List.of(ring.region()), forgotten);
        assertEquals(0, memory.regions());
    }

    @Test
    void aRegionThatTheProcessDoesNotKnowIsNotForgotten() throws IOException {
        memory.receivePool.give(memory.receivePool.take(RING, RING));
        closeAll();
        assertEquals(List.of(), forgotten);
    }

    @Test
    void allDescriptorsOfTheProcessHaveOneLimit() throws IOException {
        memory.addSendRegion(1, region());
        doorbells = 2;
        assertThrows(QuotaExceededException.class, () -> memory.receivePool.take(RING, RING));
        doorbells = 1;
        memory.receivePool.give(memory.receivePool.take(RING, RING));
    }

    @Test
    void ringsAndOtherPagesShareTheLimitOfReceiveMemory() throws IOException {
        long rest = MOST_MEMORY - pages.driver().size();
        memory.allocatingPage(rest - RING);
        RingBuffer ring = memory.receivePool.take(RING, RING);
        assertThrows(QuotaExceededException.class, () -> memory.allocatingPage(1));
        assertEquals(pages.lib().size() + MOST_MEMORY, own.memory());
        memory.receivePool.give(ring);
        memory.freePage(null, rest - RING);
        closeAll();
        assertEquals(pages.lib().size() + pages.driver().size(), own.memory());
    }
}
