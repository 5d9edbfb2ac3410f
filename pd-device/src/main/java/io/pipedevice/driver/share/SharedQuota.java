// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

import org.agrona.collections.Long2LongHashMap;

/**
 * A resource that all processes take from one stock of the driver, such as the ids of connections. A user may hold at
 * most 15/16 of the sum of its own amount and the free amount; the same limit applies to a network namespace. A user in
 * one namespace may hold at most 7/8 of the sum of its amount there and the amount that both limits still allow. So one
 * user in one namespace may have 82 of 100. The next one (another user, or in another namespace) may have the same part
 * of the rest, and there is always a rest for the one after it. Shares are rounded up: nothing of a stock of less than
 * eight is reserved. Belongs to the driver's thread.
 */
public final class SharedQuota {
    /** A 16th is withheld from each user and each namespace, and an 8th of the rest from each user in a namespace. */
    private static final long KEPT_FROM_ALL = 16;

    private static final long KEPT_FROM_ONE = 8;

    private final long stock;
    private final Long2LongHashMap ofNamespace = new Long2LongHashMap(0);
    private final Long2LongHashMap ofUser = new Long2LongHashMap(0);

    /** Amounts held by a user in a namespace. */
    private final Long2LongHashMap ofOne = new Long2LongHashMap(0);

    private long taken;

    /**
     * Creates a quota with nothing taken yet.
     *
     * @param stock the whole amount
     */
    public SharedQuota(long stock) {
        this.stock = stock;
    }

    /**
     * How much a user in a namespace may take now.
     *
     * @param user number of the user
     * @param namespace inode of the network namespace
     * @return 0 or more
     */
    public long room(int user, long namespace) {
        long free = stock - taken;
        long room = left(ofUser.get(user), free, KEPT_FROM_ALL);
        room = Math.min(room, left(ofNamespace.get(namespace), free, KEPT_FROM_ALL));
        return left(ofOne.get(one(user, namespace)), room, KEPT_FROM_ONE);
    }

    /** The amount that may be taken in addition to {@code held}, so that a part remains for others. */
    private static long left(long held, long free, long kept) {
        return Math.max(0, free - (held + free) / kept);
    }

    /** The inode of a namespace has 32 bits. */
    private static long one(int user, long namespace) {
        return namespace << Integer.SIZE | Integer.toUnsignedLong(user);
    }

    /**
     * Takes an amount for a user in a namespace, or nothing.
     *
     * @param user number of the user
     * @param namespace inode of the network namespace
     * @param amount how much
     * @return false if there is no room for all of it
     */
    public boolean take(int user, long namespace, long amount) {
        if (amount > room(user, namespace)) {
            return false;
        }
        change(user, namespace, amount);
        return true;
    }

    /**
     * Gives an amount back.
     *
     * @param user number of the user
     * @param namespace inode of the network namespace
     * @param amount how much
     */
    public void give(int user, long namespace, long amount) {
        change(user, namespace, -amount);
    }

    private void change(int user, long namespace, long amount) {
        taken += amount;
        change(ofUser, user, amount);
        change(ofNamespace, namespace, amount);
        change(ofOne, one(user, namespace), amount);
    }

    private static void change(Long2LongHashMap held, long key, long amount) {
        long now = held.get(key) + amount;
        if (now == 0) {
            held.remove(key);
        } else {
            held.put(key, now);
        }
    }

    /**
     * The amount that is taken.
     *
     * @return 0 to the stock
     */
    public long taken() {
        return taken;
    }

    /**
     * The whole amount.
     *
     * @return as the constructor was given
     */
    public long stock() {
        return stock;
    }
}
