// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.transport.BlockingContext;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SelectableChannel;

/** A channel as its calls see it that may block. Thread safe. */
abstract class ChannelContext implements BlockingContext {
    private final ChannelHome home;
    private final SelectableChannel channel;

    ChannelContext(ChannelHome home, SelectableChannel channel) {
        this.home = home;
        this.channel = channel;
    }

    /** Begins a wait that an interrupt ends, by the channel's own method. */
    abstract void begin();

    /** Ends a wait that an interrupt ends, by the channel's own method. */
    abstract void end(boolean completed) throws AsynchronousCloseException;

    @Override
    public boolean isBlocking() {
        return channel.isBlocking();
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public boolean mayWait() {
        return !StreamCall.isNeeded(channel);
    }

    @Override
    public boolean isInterruptible() {
        return home.interruptible();
    }

    @Override
    public void enter() {
        if (home.endsByInterrupt()) {
            begin();
        }
    }

    @Override
    public void exit(boolean completed) throws AsynchronousCloseException {
        if (home.endsByInterrupt()) {
            end(completed);
        } else if (!completed && !isOpen()) {
            throw new AsynchronousCloseException();
        }
    }
}
