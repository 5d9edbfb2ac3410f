// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.SelectableChannel;

/**
 * The turn to read from a channel, or to write to it: one call has it, from its beginning to its end. A call may end on
 * another thread than it began on. Thread safe.
 */
final class ChannelTurn {
    private final SelectableChannel channel;
    private final HandOffLock lock;
    private final CloseSequence closing;

    /** @param closing is resumed when a turn ends */
    ChannelTurn(SelectableChannel channel, HandOffLock lock, CloseSequence closing) {
        this.channel = channel;
        this.lock = lock;
        this.closing = closing;
    }

    void take() {
        lock.lock();
    }

    /**
     * Takes the turn within a time; how much of it is left.
     *
     * @throws SocketTimeoutException if there is none left
     */
    long take(long timeoutNs) throws SocketTimeoutException {
        return lock.tryLock() ? timeoutNs : TimedLock.take(lock::tryLock, timeoutNs, "Read");
    }

    /** Takes the turn if that is possible at once. */
    boolean tryTake() {
        return lock.tryLock();
    }

    /**
     * Takes the turn, unless the calling thread must not wait, and would have to wait for the turn or may have to wait
     * during it.
     *
     * @param waitsInKernel whether the call may wait in the kernel
     */
    boolean takeIfPermitted(boolean waitsInKernel) {
        if (!waitsInKernel && lock.tryLock()) {
            return true;
        }
        if (StreamCall.isNeeded(channel)) {
            return false;
        }
        lock.lock();
        return true;
    }

    /**
     * Ends the turn. Finishes a close that another thread began meanwhile, or that an interrupt in the kernel channel
     * caused.
     */
    void leave() {
        lock.unlock();
        closing.resume();
    }

    /** Makes a whole call, with a turn of its own, on a virtual thread. */
    int runOnVirtualThread(StreamCall.Call call) throws IOException {
        return StreamCall.run(channel, lock, false, call, this::leave);
    }

    /** Continues a call on a virtual thread, which takes over the turn that the calling thread has. */
    int continueOnVirtualThread(StreamCall.Call call) throws IOException {
        return StreamCall.run(channel, lock, true, call, this::leave);
    }
}
