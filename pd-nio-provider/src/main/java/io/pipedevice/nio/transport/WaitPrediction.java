// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

/**
 * Whether a call waits before its first attempt, because earlier attempts found nothing: then the wait and one attempt
 * are its only system calls. A wrong prediction costs one system call. Belongs to the thread that has the turn.
 */
public final class WaitPrediction {
    /** So that a thread that finds something at each attempt soon makes the attempt first again. */
    private static final int MOST_IN_A_ROW = 64;

    /** How many calls in a row wait first after an attempt in vain; doubled by each that follows the last of them. */
    private int inARow;

    private int left;

    /** Creates the prediction for a first call, which attempts first. */
    public WaitPrediction() {}

    /**
     * Decides for a call that may wait. A virtual thread attempts first: its wait costs much more than the attempt.
     *
     * @return whether to wait first
     */
    public boolean waitsFirst() {
        if (left == 0 || Thread.currentThread().isVirtual()) {
            return false;
        }
        left--;
        return true;
    }

    /**
     * Learns from an attempt before which the call did not wait.
     *
     * @param found whether there was something
     */
    public void attempted(boolean found) {
        inARow = found ? 0 : Math.min(MOST_IN_A_ROW, Math.max(1, 2 * inARow));
        left = inARow;
    }
}
