// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.transport.ParkingKernelTransport;
import io.pipedevice.nio.transport.Transport;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;

/**
 * The close of a socket channel, in steps: threads that wait are made to leave; the selectors deregister the channel;
 * the last thread leaves. Whichever of these steps comes last releases the resources. Thread safe.
 */
final class CloseSequence {
    private final SelectableChannel channel;
    private final SocketState state;
    private final ChannelLocks locks;
    private final ChannelKeys keys;
    private final OptionStore options;

    /** Whose threads park beside the kernel channel if the channel carries a socket of java.net. */
    private final KernelSide kernelSide;

    /** Whether the channel is closed and no selector has it any more; set once, by any thread. */
    private volatile boolean unused;

    CloseSequence(
            SelectableChannel channel,
            SocketState state,
            ChannelLocks locks,
            ChannelKeys keys,
            OptionStore options,
            KernelSide kernelSide) {
        this.channel = channel;
        this.state = state;
        this.locks = locks;
        this.keys = keys;
        this.options = options;
        this.kernelSide = kernelSide;
    }

    /** Begins the close. Called once. */
    void begin() throws IOException {
        boolean inUse = locks.isInUse();
        boolean heldUp = locks.hasPlatformThread();
        boolean wasConnected = state.close();
        Transport through = state.transport();
        if (through != null) {
            through.beginClose(state.local(), state.remote());
        }
        if (kernelSide.parks() && wasConnected && options.linger() != 0) {
            // As the JDK closes a socket of java.net: the peer finds the end of the stream, not a reset, even if it has
            // sent bytes that are never read.
            through.endOutput();
        }
        boolean stays = !keys.closeWhenUnused(this::release);
        if (stays && wasConnected) {
            if (through.waitsInKernel() && channel.isBlocking() && inUse) {
                endKernelWaits(through);
            } else if (options.linger() != 0 && (!channel.isBlocking() || heldUp)) {
                // Notify the peer now, although the channel still has keys. In blocking mode the JDK notifies the peer
                // when the selector has deregistered the cancelled key, unless it has to make a thread leave.
                through.endOutput();
                finishIfUnused();
            }
        }
    }

    /** Makes the threads leave that are blocked in the kernel. The kernel channel cannot be closed yet. */
    private static void endKernelWaits(Transport through) {
        try {
            through.shutdownInput();
            through.shutdownOutput();
        } catch (IOException e) {
            // The selecting thread has deregistered a cancelled key and closed the channel, which makes them leave,
            // too.
            return;
        }
    }

    /**
     * No selector has the channel any more. Closes the transport when no thread is inside, and the kernel channel: at
     * once, or if threads may be parked beside it, when they have left.
     */
    private void release() throws IOException {
        SocketChannel carrier = options.carrier();
        if (mayBeParked() && locks.isInUse() && carrier != null) {
            // Before a thread that leaves may close the kernel channel, whose descriptor then may be another file's.
            ParkingKernelTransport.endWaits(carrier, options.resetsAtClose());
        }
        unused = true;
        finishIfUnused();
        if (!kernelSide.parks()) {
            options.close();
        }
    }

    /** Whether a thread that is inside may be parked beside the kernel channel. */
    private boolean mayBeParked() {
        Transport through = state.transport();
        return kernelSide.parks() && (through == null || through.waitsInKernel());
    }

    /** Ends the output of the open channel, and finishes a close that another thread began meanwhile. */
    void shutdownOutput() throws IOException {
        state.transport().shutdownOutput();
        finishIfUnused();
    }

    /**
     * Finishes a close that another thread began meanwhile. Called by each thread that has released a lock of the
     * channel.
     */
    void resume() {
        locks.endIfWanted();
        Transport through = state.transport();
        if (!channel.isOpen()) {
            finishIfUnused();
        } else if (through != null && !through.isOpen()) {
            closeQuietly();
        }
    }

    /** Closes the channel for a caller that has another exception to throw. */
    void closeQuietly() {
        try {
            channel.close();
        } catch (IOException e) {
            // The caller's exception says more.
            return;
        }
    }

    private void finishIfUnused() {
        Transport through = state.transport();
        if (unused && through != null) {
            through.finishClose(state.local(), state.remote());
        }
        if (unused && kernelSide.parks()) {
            if (mayBeParked()) {
                locks.closeWhenIdle(this::closeKernel);
            } else {
                closeKernel();
            }
        }
    }

    private void closeKernel() {
        try {
            options.close();
        } catch (IOException e) {
            // A close of the kernel's socket fails only after it has been closed.
            return;
        }
    }
}
