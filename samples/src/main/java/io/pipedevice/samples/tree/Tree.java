// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.tree;

import io.pipedevice.active.Regions;
import io.pipedevice.active.Right;
import io.pipedevice.lib.PdException;
import io.pipedevice.samples.function.OwnedFunctions;
import java.util.List;

/** The owner's side of a B+tree. */
public final class Tree {
    /** The most pairs of a scan. */
    public static final int MOST_PAIRS = 100;

    private Tree() {}

    /**
     * Makes memory for a tree that every process may read, which {@link TreeLoader#load} has to fill.
     *
     * @param regions the attachment to the driver
     * @param name of the tree: with it the names of the functions begin
     * @param loader of the tree
     * @return the tree, for the caller to close
     * @throws PdException if the driver refuses it or is gone, or memory is exhausted
     */
    public static OwnedFunctions register(Regions regions, String name, TreeLoader loader) throws PdException {
        OwnedFunctions tree = OwnedFunctions.of(regions, List.of(loader.size()), Right.READ);
        try {
            for (TreeFunction each : TreeFunction.values()) {
                tree.add(each.nameIn(name), each.objectFile(), each.messageLength(MOST_PAIRS), TreeFunction.FUEL);
            }
            return tree;
        } catch (PdException | RuntimeException | Error e) {
            tree.close();
            throw e;
        }
    }
}
