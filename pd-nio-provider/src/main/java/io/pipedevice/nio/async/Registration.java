// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;

/**
 * The registration of a channel with the selector of its group, from the first operation that has to wait until the
 * channel is closed. Thread safe.
 */
final class Registration {
    private final SelectableChannel channel;
    private final Polling polling;
    private final Slots slots;

    /** Null before the first operation that waits. Changed under this object's monitor. */
    private volatile SelectionKey key;

    Registration(SelectableChannel channel, Polling polling, Slots slots) {
        this.channel = channel;
        this.polling = polling;
        this.slots = slots;
    }

    /** Makes the selector report, once, that the channel is ready for an operation. */
    void await(int op) throws ClosedChannelException {
        try {
            SelectionKey registered = key;
            if (registered == null) {
                registered = register();
            }
            registered.interestOpsOr(op);
        } catch (CancelledKeyException e) {
            throw new ClosedChannelException();
        }
        polling.changed();
    }

    private synchronized SelectionKey register() throws ClosedChannelException {
        if (key == null) {
            key = channel.register(polling.selector(), 0, slots);
        }
        return key;
    }

    /** Makes the selector forget the channel, which was closed, and so release its resources. */
    void closed() {
        if (key != null) {
            polling.changed();
        }
    }
}
