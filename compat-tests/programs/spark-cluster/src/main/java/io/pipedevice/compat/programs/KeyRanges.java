// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.spark.Partitioner;

/**
 * Equal ranges of keys, in the order of the keys. The keys are random, so that the ranges have about as many of them.
 */
final class KeyRanges extends Partitioner {
    private static final long serialVersionUID = 1;

    private final int count;

    KeyRanges(int count) {
        this.count = count;
    }

    /** The order of keys: as unsigned bytes. */
    static final class Order implements Comparator<byte[]>, Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public int compare(byte[] one, byte[] other) {
            return Arrays.compareUnsigned(one, other);
        }
    }

    @Override
    public int numPartitions() {
        return count;
    }

    @Override
    public int getPartition(Object key) {
        long first = Integer.toUnsignedLong(ByteBuffer.wrap((byte[]) key).getInt());
        return (int) ((first * count) >>> Integer.SIZE);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyRanges ranges && ranges.count == count;
    }

    @Override
    public int hashCode() {
        return count;
    }
}
