// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.table;

import io.pipedevice.active.Calls;
import io.pipedevice.active.Place;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteFunction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A hash table of another process. Used by one thread at a time. */
public final class RemoteTable implements AutoCloseable {
    private static final int MOST_TRIES = 1000;

    private final RemoteFunction get;
    private final RemoteFunction put;
    private final Calls calls;
    private final MemorySegment getMessage;
    private final MemorySegment putMessage;

    /**
     * Finds a table.
     *
     * @param regions the attachment to the driver
     * @param name of the table
     * @throws IOException if there is none, or the driver is gone
     */
    public RemoteTable(Regions regions, String name) throws IOException {
        get = regions.findFunction(TableFunction.GET.nameIn(name));
        put = regions.findFunction(TableFunction.PUT.nameIn(name));
        calls = regions.calls(1);
        getMessage = calls.message(get);
        putMessage = calls.message(put);
    }

    /**
     * Looks a key up.
     *
     * @param key 1 to 64 bytes
     * @param place where the function runs
     * @return the value; null if the table does not have the key
     * @throws IOException if the call fails
     */
    public byte[] get(byte[] key, Place place) throws IOException {
        long result = TableFunction.BUSY;
        for (int tries = 0; result == TableFunction.BUSY && tries < MOST_TRIES; tries++) {
            TableMessage.get(getMessage, key);
            result = calls.call(get, getMessage, place);
        }
        if (result == TableFunction.ABSENT) {
            return null;
        }
        require(result);
        return TableMessage.value(getMessage).toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * Gives a key a value.
     *
     * @param key 1 to 64 bytes
     * @param value as long as the table's items permit
     * @param place where the function runs
     * @throws IOException if the table is full, or the call fails
     */
    public void put(byte[] key, byte[] value, Place place) throws IOException {
        long result = TableFunction.BUSY;
        for (int tries = 0; result == TableFunction.BUSY && tries < MOST_TRIES; tries++) {
            TableMessage.put(putMessage, key, MemorySegment.ofArray(value));
            result = calls.call(put, putMessage, place);
        }
        require(result);
    }

    private static void require(long result) throws IOException {
        if (result != TableFunction.OK) {
            throw new IOException(result == TableFunction.FULL ? "the table is full" : "result " + result);
        }
    }

    @Override
    public void close() {
        calls.close();
        get.close();
        put.close();
    }
}
