// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

/** The slots of a channel, as the attachment of its key. Thread safe. */
interface Slots {
    /**
     * Returns the slot of an operation.
     *
     * @param op a bit of {@link java.nio.channels.SelectionKey}, valid for the channel
     */
    Slot of(int op);
}
