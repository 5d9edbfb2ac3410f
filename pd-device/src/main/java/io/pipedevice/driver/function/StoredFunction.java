// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.code.FunctionCode;
import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.region.RegisteredRegion;
import io.pipedevice.driver.region.Shared;
import io.pipedevice.driver.share.ProcessCounters.Gathered;
import io.pipedevice.linux.Fd;
import io.pipedevice.memory.SealedFile;
import java.util.List;

/**
 * A function that a process has registered. It ends when its owner ends it, when its owner is gone, and with one of its
 * regions. Belongs to the driver's thread.
 */
final class StoredFunction extends Shared {
    /** Bytes of the heap that a run takes beside its message, at most: its stack, its words and its objects. */
    private static final int RUN_BYTES = 8192;

    /** Its version, from 1. */
    public final int version;

    /** Which function of an object file it is; empty for the only one. */
    final String symbol;

    /** Instructions that a call may execute. */
    final long fuel;

    /** The rights that a process needs to all regions in order to run the function itself. */
    final int neededRights;

    /** Bytes of the program. */
    final int programLength;

    /** Its owner. */
    CallServer server;

    /** The number by which its owner names it. */
    int ownersHandle;

    /** By the numbers with which the function names them. */
    final List<RegisteredRegion> regions;

    /** The code. */
    final MessageFunction code;

    /** Memory of the code, which is charged to the owner. */
    final long codeBytes;

    private final SealedFile program;
    private final Runnable ended = this::regionChanged;

    /** {@link DeviceRunner}: how many instructions its calls have at a time. */
    final Slice slice = new Slice();

    /** {@link RunPool}: runs that are not in use. */
    final PooledRun.Kept keptRuns = new PooledRun.Kept();

    /** Runs when the function has ended. */
    private final Runnable whenEnded;

    StoredFunction(
            AttachedProcess owner,
            Registration registration,
            FunctionCode verified,
            List<RegisteredRegion> regions,
            Ends ends) {
        super(owner);
        this.version = registration.version();
        this.symbol = registration.symbol();
        this.fuel = registration.fuel();
        this.neededRights = verified.neededRights();
        this.regions = regions;
        this.code = verified.function();
        this.codeBytes = code.codeBytes();
        this.programLength = registration.size();
        this.program = registration.program();
        this.whenEnded = () -> ends.ended(this);
        owner.memory.mapped(program.size());
        owner.counters.count(Gathered.FUNCTIONS, 1);
        regions.forEach(region -> region.watch(ended));
    }

    /** Is notified of the ends of functions. */
    interface Ends {
        /** A function has ended. */
        void ended(StoredFunction function);
    }

    @Override
    protected int rights() {
        return RegionMessage.CALL;
    }

    @Override
    protected boolean collides(Shared other) {
        return ((StoredFunction) other).version == version;
    }

    private void regionChanged() {
        for (int i = 0; i < regions.size(); i++) {
            if (!regions.get(i).isOpen()) {
                close();
                return;
            }
        }
    }

    /** Ends it: calls of it end with an error. A second call does nothing. */
    public void close() {
        if (end()) {
            regions.forEach(region -> region.unwatch(ended));
            owner.memory.unmapped(program, program.size());
            owner.counters.count(Gathered.FUNCTIONS, -1);
            whenEnded.run();
        }
    }

    /**
     * The length of its messages.
     *
     * @return in bytes
     */
    int messageLength() {
        return code.messageLength();
    }

    /**
     * The most bytes of a saved state.
     *
     * @return in bytes
     */
    int stateLength() {
        return code.stateLength();
    }

    /**
     * The number of its regions.
     *
     * @return 0 or more
     */
    int regionCount() {
        return regions.size();
    }

    /**
     * One of its regions.
     *
     * @param index any value
     * @return the region; null if there is none
     */
    RegisteredRegion region(int index) {
        return index >= 0 && index < regions.size() ? regions.get(index) : null;
    }

    /**
     * The memory object with the program, which no process can map writable.
     *
     * @return owned by the function
     */
    Fd program() {
        return program.fd();
    }

    /** Bytes of a run. */
    int runBytes() {
        return code.messageLength() + RUN_BYTES;
    }

    /** Bytes that a call takes of the driver's memory while it is under way. */
    int footprint() {
        return runBytes() + code.stateLength();
    }
}
