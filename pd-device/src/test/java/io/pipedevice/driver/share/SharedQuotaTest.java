// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class SharedQuotaTest {
    private static final long HOST = 1;

    private static long takeAll(SharedQuota quota, int user, long namespace) {
        long taken = 0;
        while (quota.take(user, namespace, 1)) {
            taken++;
        }
        return taken;
    }

    @Test
    void oneUserAloneHasFourOfFive() {
        assertEquals(53_760, takeAll(new SharedQuota(65_535), 1000, HOST));
    }

    @Test
    void usersOfOneNamespaceLeaveRoomForEachOther() {
        SharedQuota quota = new SharedQuota(65_535);
        takeAll(quota, 1000, HOST);
        assertTrue(takeAll(quota, 1001, HOST) > 6000);
        assertTrue(takeAll(quota, 1002, HOST) > 700);
        assertTrue(takeAll(quota, 1003, HOST) > 80);
        assertTrue(quota.take(1004, HOST, 1));
    }

    @Test
    void manyUsersOfOneNamespaceLeaveRoomForOtherNamespaces() {
        SharedQuota quota = new SharedQuota(65_535);
        for (int user = 0; user < 1000; user++) {
            takeAll(quota, user, 2);
        }
        assertTrue(takeAll(quota, 1000, HOST) > 3000);
    }

    @Test
    void aUserOfManyNamespacesLeavesRoomForOtherUsers() {
        SharedQuota quota = new SharedQuota(65_535);
        for (int namespace = 2; namespace < 1000; namespace++) {
            takeAll(quota, 1000, namespace);
        }
        assertTrue(takeAll(quota, 1001, HOST) > 3000);
    }

    /** Root, for example, is the user of every container without a user namespace. */
    @Test
    void aUserLeavesRoomForTheSameUserInOtherNamespaces() {
        SharedQuota quota = new SharedQuota(65_535);
        takeAll(quota, 0, 2);
        assertTrue(takeAll(quota, 0, 3) > 6000);
        assertTrue(takeAll(quota, 0, HOST) > 700);
    }

    @Test
    void aSmallStockIsNotKeptBack() {
        for (int stock = 1; stock < 8; stock++) {
            assertEquals(stock, takeAll(new SharedQuota(stock), 1000, HOST));
        }
    }

    @Test
    void whatIsGivenBackCanBeTakenAgain() {
        SharedQuota quota = new SharedQuota(1024);
        long all = takeAll(quota, 1000, HOST);
        assertFalse(quota.take(1000, HOST, 1));
        quota.give(1000, HOST, all);
        assertEquals(0, quota.taken());
        assertEquals(all, takeAll(quota, 1000, HOST));
    }

    @Test
    void neverMoreIsTakenThanThereIs() {
        SplittableRandom random = new SplittableRandom(23);
        SharedQuota quota = new SharedQuota(1000);
        long[][] held = new long[5][3];
        for (int i = 0; i < 100_000; i++) {
            int user = random.nextInt(held.length);
            int namespace = random.nextInt(held[user].length);
            long amount = random.nextLong(1, 50);
            if (random.nextBoolean()) {
                held[user][namespace] += quota.take(user, namespace, amount) ? amount : 0;
            } else {
                long given = Math.min(amount, held[user][namespace]);
                quota.give(user, namespace, given);
                held[user][namespace] -= given;
            }
            assertTrue(quota.taken() >= 0 && quota.taken() <= quota.stock());
        }
    }
}
