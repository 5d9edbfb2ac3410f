// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.channels.AsynchronousChannel;

/** An asynchronous channel, as its slots see it. Thread safe. */
interface SlotOwner extends AsynchronousChannel {
    /**
     * Makes the group run the slot of an operation when the channel is ready for it.
     *
     * @param op a bit of {@link java.nio.channels.SelectionKey}
     * @throws IOException if the channel is closed
     */
    void await(int op) throws IOException;

    /** The waits for the futures of the channel's group. */
    FutureWaits waits();

    /** Gives the result of an operation to its future, or its handler, which this thread may call. */
    void complete(Operation<?, ?> operation);

    /** The same for a caller within which no handler may run, such as a close. */
    void completeLater(Operation<?, ?> operation);

    /**
     * The program has cancelled an operation.
     *
     * @param op a bit of {@link java.nio.channels.SelectionKey}
     * @return whether its slot drops it; otherwise it goes on, and its result is lost
     */
    boolean cancelled(int op);

    /** Closes the channel for a caller that has no use for a failure. */
    default void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            // The channel counts as closed all the same.
            return;
        }
    }
}
