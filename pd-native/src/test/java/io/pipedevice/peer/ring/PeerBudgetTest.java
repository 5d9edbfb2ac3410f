// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Limits on the resources that peers can make this process hold. */
final class PeerBudgetTest {
    private static final int MAPPINGS = 120;
    private static final int DESCRIPTORS = 60;

    private final PeerBudget budget = new PeerBudget(MAPPINGS, DESCRIPTORS);

    private static int mapAll(PeerBudget.Share share) {
        int count = 0;
        while (share.map(1)) {
            count++;
        }
        return count;
    }

    private static int holdAll(PeerBudget.Share share) {
        int count = 0;
        while (share.hold()) {
            count++;
        }
        return count;
    }

    @Test
    void eachPeerHasAsManyAsAreFree() {
        assertEquals(MAPPINGS / 2, mapAll(budget.share(1)));
        assertEquals(MAPPINGS / 4, mapAll(budget.share(2)));
        assertEquals(MAPPINGS / 8, mapAll(budget.share(3)));
        assertEquals(DESCRIPTORS / 2, holdAll(budget.share(1)));
        assertEquals(DESCRIPTORS / 4, holdAll(budget.share(2)));
    }

    @Test
    void thatOfThisProcessIsAShareOfWhatTheKernelAllows() throws Exception {
        PeerBudget.Share share = PeerBudget.PROCESS.share(1);
        int all = mapAll(share);
        share.unmap(all);
        share.close();
        assertTrue(all > 1000, all + " mappings");
    }

    @Test
    void allLinksWithAProcessHaveOneShare() {
        PeerBudget.Share share = budget.share(1);
        assertEquals(MAPPINGS / 2, mapAll(share));
        assertFalse(budget.share(1).map(1));
        share.unmap(1);
        assertTrue(budget.share(1).map(1));
    }

    @Test
    void whatIsGivenBackIsFree() {
        for (int i = 0; i < 3; i++) {
            PeerBudget.Share share = budget.share(1);
            assertEquals(MAPPINGS / 2, mapAll(share));
            assertEquals(DESCRIPTORS / 2, holdAll(share));
            share.unmap(MAPPINGS / 2);
            for (int held = 0; held < DESCRIPTORS / 2; held++) {
                share.release();
            }
            share.close();
            assertEquals(0, budget.mappings());
        }
    }

    @Test
    void theMonitorReceivesMappingsAndRefusals() {
        AtomicInteger mapped = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        budget.monitor(new PeerMonitor() {
            @Override
            public void strangerRefused() {}

            @Override
            public void closing(int change) {}

            @Override
            public void mapped(int change) {
                mapped.addAndGet(change);
            }

            @Override
            public void ringRefused() {
                refused.incrementAndGet();
            }
        });
        PeerBudget.Share share = budget.share(1);
        assertTrue(share.map(3));
        share.unmap(1);
        assertEquals(2, mapped.get());
        share.refuse();
        assertEquals(1, refused.get());
    }

    @Test
    void ringsOfThisProcessTakeNothingFromPeers() {
        PeerBudget.Share share = budget.share(1);
        int own = 0;
        while (share.mapOwn()) {
            own++;
        }
        assertEquals(MAPPINGS / 2, own);
        assertEquals(MAPPINGS / 2, mapAll(share));
        share.unmapOwn(1);
        assertTrue(share.mapOwn());
    }
}
