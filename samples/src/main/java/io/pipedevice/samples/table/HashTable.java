// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.table;

import io.pipedevice.active.Regions;
import io.pipedevice.active.Right;
import io.pipedevice.lib.PdException;
import io.pipedevice.samples.function.OwnedFunctions;

/** The owner's side of a hash table. */
public final class HashTable {
    private HashTable() {}

    /**
     * Makes a table that every process may use.
     *
     * @param regions the attachment to the driver
     * @param name of the table: with it the names of the functions begin
     * @param layout of the table
     * @return the table, empty, for the caller to close
     * @throws PdException if the driver refuses it or is gone, or memory is exhausted
     */
    public static OwnedFunctions register(Regions regions, String name, TableLayout layout) throws PdException {
        OwnedFunctions table = OwnedFunctions.of(regions, layout.sizes(), Right.READ, Right.WRITE, Right.ATOMIC);
        try {
            for (TableFunction each : TableFunction.values()) {
                table.add(each.nameIn(name), each.objectFile(), layout.slot(), TableFunction.FUEL);
            }
            return table;
        } catch (PdException | RuntimeException | Error e) {
            table.close();
            throw e;
        }
    }
}
