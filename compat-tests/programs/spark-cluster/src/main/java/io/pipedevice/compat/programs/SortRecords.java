// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import scala.Tuple2;

/**
 * Random records with a key, always the same ones, as TeraSort has them. Their parts before and after the sort have the
 * same number. Immutable.
 */
final class SortRecords implements Serializable {
    private static final long serialVersionUID = 1;

    private static final int KEY = 10;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final int parts;
    private final int inPart;
    private final int size;

    /**
     * Describes the records.
     *
     * @param parts the number of parts
     * @param inPart the number of records of each part before the sort
     * @param size of a record, in bytes, the key included
     */
    SortRecords(int parts, int inPart, int size) {
        this.parts = parts;
        this.inPart = inPart;
        this.size = size;
    }

    /** The records of a part before the sort. */
    Iterator<Tuple2<byte[], byte[]>> unsorted(int part) {
        SplittableRandom random = new SplittableRandom(part);
        return IntStream.range(0, inPart)
                .mapToObj(number -> new Tuple2<>(bytes(random, KEY), bytes(random, size - KEY)))
                .iterator();
    }

    private static byte[] bytes(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            LONGS.set(bytes, at, random.nextLong());
        }
        for (; at < length; at++) {
            bytes[at] = (byte) random.nextInt();
        }
        return bytes;
    }

    /** The number of records, and the sum of the checksums of each. */
    static Tuple2<Long, Long> sum(Iterator<Tuple2<byte[], byte[]>> records) {
        CRC32C crc = new CRC32C();
        long count = 0;
        long checksum = 0;
        while (records.hasNext()) {
            Tuple2<byte[], byte[]> one = records.next();
            crc.reset();
            crc.update(one._1());
            crc.update(one._2());
            checksum += crc.getValue();
            count++;
        }
        return new Tuple2<>(count, checksum);
    }

    /** The sum of two. */
    static Tuple2<Long, Long> both(Tuple2<Long, Long> one, Tuple2<Long, Long> other) {
        return new Tuple2<>(one._1() + other._1(), one._2() + other._2());
    }

    /** The sum of the records of a part after the sort, all of which must be in their place. */
    Tuple2<Long, Long> sortedSum(int part, Iterator<Tuple2<byte[], byte[]>> records) {
        return sum(new Ascending(new KeyRanges(parts), part, records));
    }

    /** Checks the order of the keys of a part, and that they are in its range. */
    private static final class Ascending implements Iterator<Tuple2<byte[], byte[]>> {
        private final KeyRanges ranges;
        private final int part;
        private final Iterator<Tuple2<byte[], byte[]>> records;
        private byte[] previous = new byte[KEY];

        private Ascending(KeyRanges ranges, int part, Iterator<Tuple2<byte[], byte[]>> records) {
            this.ranges = ranges;
            this.part = part;
            this.records = records;
        }

        @Override
        public boolean hasNext() {
            return records.hasNext();
        }

        @Override
        public Tuple2<byte[], byte[]> next() {
            Tuple2<byte[], byte[]> one = records.next();
            if (Arrays.compareUnsigned(previous, one._1()) > 0 || ranges.getPartition(one._1()) != part) {
                throw new IllegalStateException("a key is not in its place: part " + part + ", "
                        + Arrays.toString(previous) + ", " + Arrays.toString(one._1()));
            }
            previous = one._1();
            return one;
        }
    }
}
