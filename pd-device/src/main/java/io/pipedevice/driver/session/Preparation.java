// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.driver.share.Chores;
import io.pipedevice.linux.Errno;
import java.io.IOException;

/**
 * Fills the page tables of memory that a message brought, in steps, because the process decides how large it is; then the
 * message is handled again. Owns the memory until it is {@link #finish finished}. Belongs to the driver's thread.
 */
abstract class Preparation implements Chores.Chore {
    private static final long STEP_BYTES = 256 << 10;

    private final ControlSession session;
    private final Runnable resume;
    private long done;
    private IOException failure;
    private boolean finished;

    /**
     * Begins.
     *
     * @param session whose message waits
     * @param resume causes the message to be handled again
     */
    Preparation(ControlSession session, Runnable resume) {
        this.session = session;
        this.resume = resume;
    }

    /** The number of bytes to fill. */
    abstract long size();

    /** Fills a part. */
    abstract void fill(long offset, long length) throws IOException;

    /** Releases everything, because the message fails. */
    abstract void abandon();

    @Override
    public final boolean step(long nowNs) {
        if (session.open && done < size()) {
            try {
                long length = Math.min(STEP_BYTES, size() - done);
                fill(done, length);
                done += length;
                return true;
            } catch (IOException e) {
                failure = e;
            }
        }
        resume.run();
        if (!finished) {
            abandon();
        }
        return false;
    }

    /** Hands the memory over, or throws the error of an earlier step. */
    final void finish() throws Refusal {
        if (failure != null) {
            throw Refusal.exhausted(failure, Errno.ENOMEM, "cannot map the memory");
        }
        finished = true;
    }
}
