// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.util.concurrent.atomic.AtomicBoolean;

/** A channel with one slot, which the test runs when it wants. */
final class StillChannel implements SlotOwner {
    private static final ChannelGroup GROUP = Groups.open();

    final Slot slot = new Slot(this, 1, IllegalStateException::new, IllegalStateException::new);
    private final AtomicBoolean closed = new AtomicBoolean();

    @Override
    public FutureWaits waits() {
        return GROUP.waits();
    }

    @Override
    public void complete(Operation<?, ?> operation) {
        GROUP.complete(operation);
    }

    @Override
    public void completeLater(Operation<?, ?> operation) {
        GROUP.completeLater(operation);
    }

    @Override
    public void await(int op) {
        // The test runs the slot.
    }

    @Override
    public boolean cancelled(int op) {
        return true;
    }

    @Override
    public boolean isOpen() {
        return !closed.get();
    }

    @Override
    public void close() {
        closed.set(true);
        slot.close();
    }
}
