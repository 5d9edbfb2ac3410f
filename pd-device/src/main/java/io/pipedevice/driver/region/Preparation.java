// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.driver.control.ControlRequest;
import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.control.Reply;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.linux.Errno;
import java.io.IOException;

/**
 * Fills the page tables of memory that a message brought, in steps, because the process decides how large it is; then
 * it goes on with the message. Owns the memory until then. Belongs to the driver's thread.
 */
abstract class Preparation implements Chores.Chore, Reply.Later {
    private static final long STEP_BYTES = 256 << 10;

    /** The message that waits. */
    final ControlRequest request;

    private long done;
    private IOException failure;

    /**
     * Begins.
     *
     * @param request that waits
     */
    Preparation(ControlRequest request) {
        this.request = request;
    }

    /** The number of bytes to fill. */
    abstract long size();

    /** Fills a part. */
    abstract void fill(long offset, long length) throws IOException;

    /** Hands the memory over, and answers the message, or refuses it and releases the memory. */
    abstract Reply complete() throws Refusal;

    @Override
    public abstract void abandon();

    @Override
    public final boolean step(long nowNs) {
        if (!request.session().isOpen()) {
            return false;
        }
        if (done < size()) {
            try {
                long length = Math.min(STEP_BYTES, size() - done);
                fill(done, length);
                done += length;
                return true;
            } catch (IOException e) {
                failure = e;
            }
        }
        request.resume();
        return false;
    }

    @Override
    public final Reply resume(long nowNs) throws Refusal {
        if (failure != null) {
            abandon();
            throw Refusal.exhausted(failure, Errno.ENOMEM, "cannot map the memory");
        }
        return complete();
    }
}
