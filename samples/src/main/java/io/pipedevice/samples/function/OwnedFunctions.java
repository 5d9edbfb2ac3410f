// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.function;

import io.pipedevice.active.Function;
import io.pipedevice.active.FunctionDefinition;
import io.pipedevice.active.Grant;
import io.pipedevice.active.Region;
import io.pipedevice.active.Regions;
import io.pipedevice.active.Right;
import io.pipedevice.lib.PdException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Regions of this process, and functions on all of them that every process may call. Closing ends them. Used by one
 * thread.
 */
public final class OwnedFunctions implements AutoCloseable {
    private final Regions attachment;
    private final List<Region> regions = new ArrayList<>();
    private final List<Function> functions = new ArrayList<>();

    private OwnedFunctions(Regions attachment) {
        this.attachment = attachment;
    }

    /**
     * Registers regions, and no functions yet.
     *
     * @param attachment to the driver
     * @param sizes of the regions, in the order in which functions number them
     * @param rights of every process: with them it can run the functions itself
     * @return the regions, zeroed
     * @throws PdException if the driver refuses them or is gone, or memory is exhausted
     */
    public static OwnedFunctions of(Regions attachment, List<Long> sizes, Right... rights) throws PdException {
        OwnedFunctions owned = new OwnedFunctions(attachment);
        try {
            for (long size : sizes) {
                Region region = attachment.register(size);
                owned.regions.add(region);
                region.grant(Grant.anyone(rights));
            }
            return owned;
        } catch (PdException | RuntimeException | Error e) {
            owned.close();
            throw e;
        }
    }

    /**
     * Registers a function on all the regions.
     *
     * @param name by which others find it
     * @param object the bytes of an object file
     * @param messageLength bytes of its messages
     * @param fuel most instructions of a call
     * @throws PdException if the driver refuses it or is gone
     */
    public void add(String name, byte[] object, int messageLength, long fuel) throws PdException {
        functions.add(attachment.register(
                new FunctionDefinition(name, 1, object, messageLength, regions, fuel), Grant.anyone(Right.CALL)));
    }

    /**
     * The memory of the regions.
     *
     * @return in the order in which functions number them
     */
    public List<MemorySegment> memory() {
        return regions.stream().map(Region::memory).toList();
    }

    @Override
    public void close() {
        functions.forEach(Function::close);
        regions.forEach(Region::close);
    }
}
