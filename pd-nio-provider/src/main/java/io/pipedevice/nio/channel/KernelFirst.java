// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.linux.LazyLogger;
import io.pipedevice.nio.placement.KernelFallbackException;
import io.pipedevice.nio.placement.KernelMeeting;
import io.pipedevice.nio.placement.RingConnection;
import io.pipedevice.nio.placement.RingSizes;
import io.pipedevice.nio.transport.BlockingContext;
import io.pipedevice.nio.transport.CallTimeout;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.SocketChannel;

/**
 * A connection that the kernel makes first, and about which it is decided afterwards whether its data go through rings.
 * A non-blocking channel is not ready to finish its connect before that: a selector watches the kernel's socket until
 * the connection stands, nothing until the decision, and then the kernel's socket again, which is ready. Used by the
 * holder of the channel's locks, except for methods that say otherwise.
 */
final class KernelFirst {
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");

    private final KernelMeeting meeting;
    private final SocketChannel kernel;
    private final BlockingContext context;
    private final ChannelKeys keys;

    private final long timeoutNs;
    private final long beginNs = System.nanoTime();

    /** Set under the channel's locks. */
    private volatile boolean unanswerable;

    /**
     * Why a selecting thread could not finish the kernel's connect; null if none has failed. Under the channel's locks.
     */
    private IOException failure;

    /** @param timeoutMillis of the connect; 0 for none */
    KernelFirst(
            KernelMeeting meeting, SocketChannel kernel, BlockingContext context, ChannelKeys keys, int timeoutMillis) {
        timeoutNs = CallTimeout.ofMillis(timeoutMillis);
        this.meeting = meeting;
        this.kernel = kernel;
        this.context = context;
        this.keys = keys;
    }

    /** Asks, when the kernel's connection stands. */
    private void ask() {
        if (isAsked()) {
            return;
        }
        try {
            meeting.ask(context.isBlocking(), keys::transportChanged);
        } catch (IOException e) {
            LOG.get().log(Level.DEBUG, "a connection stays on the kernel: {0}", e.getMessage());
            unanswerable = true;
            meeting.withdraw();
        }
        // A selector now stops watching the kernel's socket.
        keys.transportChanged();
    }

    /** Whether the driver was asked. Any thread. */
    boolean isAsked() {
        return unanswerable || meeting.isAsked();
    }

    /** Whether the decision is under way. Any thread. */
    boolean awaitsDecision() {
        return isAsked() && !isDecided();
    }

    /**
     * Asks if need be, and waits for the decision in blocking mode; whether it is made.
     *
     * @param interrupt keeps an interrupt during the wait
     * @throws IOException if the channel is closed, or the thread interrupted, meanwhile
     */
    boolean decide(HeldInterrupt interrupt) throws IOException {
        ask();
        if (!isDecided() && context.isBlocking()) {
            await(interrupt);
            return true;
        }
        return isDecided();
    }

    private void await(HeldInterrupt interrupt) throws IOException {
        boolean done = false;
        context.enter();
        try {
            // An interrupt closes most channels. Where it does not, the wait goes on.
            while (!done && context.isOpen()) {
                try {
                    meeting.await(timeoutNs - (System.nanoTime() - beginNs));
                    done = true;
                } catch (InterruptedException e) {
                    interrupt.hold();
                }
            }
        } finally {
            context.exit(done);
        }
    }

    /** Connects by rings, after {@link #decide}. */
    RingConnection connect(RingSizes sizes) throws KernelFallbackException, IOException {
        return meeting.connect(!context.isBlocking(), sizes);
    }

    /** Fails if the kernel's connection cannot be used, after {@link #connect} has not succeeded. */
    void requireUsable() throws IOException {
        meeting.requireUsable();
    }

    /**
     * Whether the channel is ready to finish its connect. Called by a selecting thread, which does not wait for the
     * locks.
     *
     * @param closing is resumed when the locks are released
     */
    boolean isReady(ChannelLocks locks, CloseSequence closing) {
        if (isAsked()) {
            return isDecided();
        }
        if (!locks.tryLockBoth()) {
            // The select goes on, and finds the socket ready again.
            keys.transportChanged();
            return false;
        }
        try {
            return isReady();
        } finally {
            locks.unlockBoth();
            closing.resume();
        }
    }

    /** Asks if the kernel's connection stands; whether the channel is ready to finish its connect. */
    private boolean isReady() {
        try {
            if (kernel.finishConnect()) {
                ask();
            }
        } catch (IOException e) {
            failure = e;
            return true;
        }
        return isDecided();
    }

    /**
     * Finishes the kernel's connect; whether the connection stands. Fails as {@link #isReady} did, which has closed the
     * channel.
     */
    boolean finishConnect() throws IOException {
        if (failure != null) {
            throw failure;
        }
        return kernel.finishConnect();
    }

    /** Whether the decision is made. Any thread. */
    boolean isDecided() {
        return unanswerable || meeting.isDecided();
    }

    /** Gives up. Any thread. */
    void abandon() {
        meeting.withdraw();
    }
}
