// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.nio.channels.SelectableChannel;

/**
 * The close of a socket channel, which takes place in steps: threads that wait are told; the selectors let go of the
 * channel; the last thread leaves. Whichever comes last does the rest. Any thread may call.
 */
final class CloseSequence {
    private final SelectableChannel channel;
    private final SocketState state;
    private final ChannelLocks locks;
    private final ChannelKeys keys;
    private final OptionStore options;

    /** Whether the channel is closed and no selector has it any more; set once, by any thread. */
    private volatile boolean unused;

    CloseSequence(
            SelectableChannel channel, SocketState state, ChannelLocks locks, ChannelKeys keys, OptionStore options) {
        this.channel = channel;
        this.state = state;
        this.locks = locks;
        this.keys = keys;
        this.options = options;
    }

    /** The channel is closed from now on. Called once. */
    void begin() throws IOException {
        boolean inUse = locks.isInUse();
        boolean heldUp = locks.hasPlatformThread();
        boolean wasConnected = state.close();
        Transport through = state.transport();
        if (through != null) {
            through.beginClose(state.local(), state.remote());
        }
        boolean stays = !keys.closeWhenUnused(this::release);
        if (stays && wasConnected) {
            if (through.waitsInKernel() && channel.isBlocking() && inUse) {
                endKernelWaits(through);
            } else if (options.linger() != 0 && (!channel.isBlocking() || heldUp)) {
                // The peer is told now, although the connection has to stay. In blocking mode the JDK tells it when the
                // selector has let go of the cancelled key, unless it has to get a thread out.
                through.endOutput();
                finishIfUnused();
            }
        }
    }

    /** Makes threads leave that are blocked in the kernel, whose channel cannot be closed yet. */
    private static void endKernelWaits(Transport through) {
        try {
            through.shutdownInput();
            through.shutdownOutput();
        } catch (IOException e) {
            // The selecting thread has let go of a cancelled key and closed, which gets them out, too.
            return;
        }
    }

    /** No selector has the channel any more. */
    private void release() throws IOException {
        unused = true;
        finishIfUnused();
        options.close();
    }

    /** Ends the output of the open channel; a close that came meanwhile left the rest to this thread. */
    void shutdownOutput() throws IOException {
        state.transport().shutdownOutput();
        finishIfUnused();
    }

    /** To be called by a thread that has given back a lock of the channel. */
    void resume() {
        locks.endIfWanted();
        Transport through = state.transport();
        if (!channel.isOpen()) {
            finishIfUnused();
        } else if (through != null && !through.isOpen()) {
            closeQuietly();
        }
    }

    /** Closes the channel where the caller has something else to throw. */
    void closeQuietly() {
        try {
            channel.close();
        } catch (IOException e) {
            // What is thrown already says more.
            return;
        }
    }

    private void finishIfUnused() {
        Transport through = state.transport();
        if (unused && through != null) {
            through.finishClose(state.local(), state.remote());
        }
    }
}
