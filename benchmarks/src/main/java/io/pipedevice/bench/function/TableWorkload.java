// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.samples.table.TableFunction;
import io.pipedevice.samples.table.TableMessage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** GETs, and PUTs now and then, of a hash table. A value tells whether it is whole, and of which key it is. */
final class TableWorkload implements Workload {
    static final int KEY_LENGTH = Long.BYTES;
    static final int VALUE_LENGTH = 64;

    private static final long FACTOR = 0x9e3779b97f4a7c15L;
    private static final int ALL = 100;

    /** The numbers of the functions, which are in the order of {@link TableFunction}. */
    private static final int GET = 0;

    private static final int PUT = 1;

    private final long[] keys;
    private final int putsInHundred;
    private final byte[] key = new byte[KEY_LENGTH];
    private final MemorySegment keySegment = MemorySegment.ofArray(key);
    private final long[] value = new long[VALUE_LENGTH / Long.BYTES];
    private final MemorySegment valueSegment = MemorySegment.ofArray(value);
    private long calls;
    private boolean isPut;

    /** Asks for keys in turn. */
    TableWorkload(long[] keys, int putsInHundred) {
        this.keys = keys;
        this.putsInHundred = putsInHundred;
    }

    @Override
    public int next() {
        // A step without a common divisor, so that PUTs do not come together.
        isPut = ++calls * 37 % ALL < putsInHundred;
        return isPut ? PUT : GET;
    }

    @Override
    public void write(MemorySegment message) {
        long number = keys[(int) (calls % keys.length)];
        if (isPut) {
            put(message, number, calls);
        } else {
            keySegment.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number);
            TableMessage.get(message, key);
        }
    }

    /** Writes the message of a PUT. */
    void put(MemorySegment message, long number, long stamp) {
        keySegment.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number);
        value[0] = stamp;
        for (int i = 1; i < value.length; i++) {
            value[i] = (value[i - 1] + number) * FACTOR;
        }
        TableMessage.put(message, key, valueSegment);
    }

    @Override
    public void check(MemorySegment message, long result) {
        MemorySegment found = TableMessage.value(message);
        if (result != TableFunction.OK || found.byteSize() != VALUE_LENGTH) {
            throw new IllegalStateException("result " + result + " with " + found.byteSize() + " bytes");
        }
        long number = message.get(ValueLayout.JAVA_LONG_UNALIGNED, Long.BYTES);
        long last = found.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        for (int i = 1; i < value.length; i++) {
            long word = found.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES);
            if (word != (last + number) * FACTOR) {
                throw new IllegalStateException("the value of key " + number + " is torn, or is not its own");
            }
            last = word;
        }
    }
}
