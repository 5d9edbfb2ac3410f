// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.table;

import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.samples.function.FunctionFile;

/** The functions of a hash table. */
public enum TableFunction {
    /** Looks a key up: {@link #OK} or {@link #ABSENT}. */
    GET("get", "table_get.o"),

    /** Gives a key a value: {@link #OK} or {@link #FULL}. */
    PUT("put", "table_put.o");

    /** The result: it was done. */
    public static final long OK = 0;

    /** The result: the table has no such key. */
    public static final long ABSENT = 1;

    /** The result: there is no free item or overflow bucket. */
    public static final long FULL = 2;

    /** The result: others have changed the same key many times meanwhile, so that it has to be tried again. */
    public static final long BUSY = 3;

    /** The result: the message has a key or value that it cannot hold. */
    public static final long INVALID = 4;

    /** How many regions each has: {@link TableLayout#sizes}. */
    public static final int REGIONS = 3;

    /** Instructions that a call needs at most: chains are short, and seldom anybody is faster. */
    public static final long FUEL = 1 << 20;

    private final String suffix;
    private final String file;

    TableFunction(String suffix, String file) {
        this.suffix = suffix;
        this.file = file;
    }

    /**
     * The name with which it is registered.
     *
     * @param name of the table
     * @return for example orders.get for the name orders
     */
    public String nameIn(String name) {
        return name + "." + suffix;
    }

    /**
     * The object file.
     *
     * @return as clang has made it of the source beside it
     */
    public byte[] objectFile() {
        return FunctionFile.bytes(TableFunction.class, file);
    }

    /**
     * Verifies and compiles the function, for calls within this process.
     *
     * @param messageLength the bytes of a message
     * @return the function
     */
    public MessageFunction compile(int messageLength) {
        return FunctionFile.compile(objectFile(), messageLength, REGIONS, FUEL);
    }
}
