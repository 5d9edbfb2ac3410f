// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.message.MessageRun;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.SharedQuota;
import java.lang.foreign.Arena;

/**
 * The runs of all functions at the device. Their memory is bounded: a run in use is charged to the process that calls,
 * of which each user and network namespace has a share; runs that are kept for later calls fill what is left, and the
 * one that was not used for the longest time is given up for one that is needed. Belongs to the driver's thread.
 */
final class RunPool {
    private final SharedQuota used;

    /** The runs that are not in use. The last one was used most recently. */
    private final LinkedEntries<PooledRun> kept = new LinkedEntries<>();

    private long keptBytes;

    /**
     * Begins without runs.
     *
     * @param bytes of all runs together
     */
    RunPool(long bytes) {
        used = new SharedQuota(bytes);
    }

    /** A run of a function for a call of a process; null if there is no memory for it. */
    PooledRun take(StoredFunction function, Identity user) {
        int bytes = function.runBytes();
        if (!used.take(user.uid(), user.networkNamespace(), bytes)) {
            return null;
        }
        PooledRun run = null;
        try {
            run = function.keptRuns.runs.isEmpty() ? make(function, bytes) : function.keptRuns.runs.pop();
        } finally {
            if (run == null) {
                used.give(user.uid(), user.networkNamespace(), bytes);
            }
        }
        if (run == null) {
            return null;
        }
        if (kept.remove(run)) {
            keptBytes -= bytes;
        }
        run.user = user;
        return run;
    }

    /** Makes a run; null if there is no memory for it. */
    private PooledRun make(StoredFunction function, int bytes) {
        while (!kept.isEmpty() && used.taken() + keptBytes > used.stock()) {
            release(kept.first());
        }
        Arena arena = null;
        try {
            arena = Arena.ofConfined();
            MessageRun run = new MessageRun(function.code, arena.allocate(function.code.messageLength(), Long.BYTES));
            return new PooledRun(function.keptRuns, run, arena, bytes);
        } catch (OutOfMemoryError e) {
            // Of the heap, or of the memory beside it, which others use as well.
            if (arena != null) {
                arena.close();
            }
            while (!kept.isEmpty()) {
                release(kept.first());
            }
            return null;
        }
    }

    /** Takes back a run. */
    void give(PooledRun run) {
        used.give(run.user.uid(), run.user.networkNamespace(), run.bytes);
        run.user = null;
        if (run.kept.hasEnded) {
            run.close();
            return;
        }
        run.kept.runs.push(run);
        kept.addLast(run);
        keptBytes += run.bytes;
    }

    /** Releases the runs that are kept for a function that has ended. */
    void ended(StoredFunction function) {
        function.keptRuns.hasEnded = true;
        while (!function.keptRuns.runs.isEmpty()) {
            release(function.keptRuns.runs.peek());
        }
    }

    private void release(PooledRun run) {
        kept.remove(run);
        keptBytes -= run.bytes;
        // The one that was used last is the first of its function, and the one that is given up mostly the last.
        run.kept.runs.removeLastOccurrence(run);
        run.close();
    }
}
