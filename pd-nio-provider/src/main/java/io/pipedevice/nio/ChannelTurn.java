// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.nio.channels.SelectableChannel;

/**
 * The turn to read from a channel, or to write to it: one call has it, from its beginning to its end. A call may end on
 * another thread than the one that began it.
 */
final class ChannelTurn {
    private final SelectableChannel channel;
    private final TurnLock lock;
    private final CloseSequence closing;

    /** @param closing goes on when a turn ends */
    ChannelTurn(SelectableChannel channel, TurnLock lock, CloseSequence closing) {
        this.channel = channel;
        this.lock = lock;
        this.closing = closing;
    }

    void take() {
        lock.lock();
    }

    /** Takes it if that is possible at once. */
    boolean tryTake() {
        return lock.tryLock();
    }

    /**
     * Takes it, unless the calling thread must not wait, and would have to, or may have to in the call itself.
     *
     * @param waitsInKernel whether the call may wait before it returns to this package
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

    /** Ends the turn, and finishes a close that came meanwhile, or that an interrupt made of the kernel channel. */
    void leave() {
        lock.unlock();
        closing.resume();
    }

    /** Makes a whole call, with a turn of its own, on another thread. */
    int aside(StreamCall.Call call) throws IOException {
        return StreamCall.run(channel, lock, false, call, this::leave);
    }

    /** Goes on with a call on another thread, which takes over the turn that the calling thread has. */
    int goOnAside(StreamCall.Call call) throws IOException {
        return StreamCall.run(channel, lock, true, call, this::leave);
    }
}
