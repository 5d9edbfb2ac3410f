// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A selector without keys, that only wake-ups end. A select that no wake-up ends is noted, and ends after a while. */
final class StillSelector extends AbstractSelector {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(1);

    private boolean woken;
    private boolean slept;

    StillSelector() {
        super(SelectorProvider.provider());
    }

    /** Whether a select slept to its end. */
    synchronized boolean slept() {
        return slept;
    }

    @Override
    public synchronized int select(long timeout) {
        long begun = System.nanoTime();
        try {
            while (!woken && System.nanoTime() - begun < LONG_NS) {
                TimeUnit.NANOSECONDS.timedWait(this, LONG_NS);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        slept |= !woken;
        woken = false;
        return 0;
    }

    @Override
    public int select() {
        return select(0);
    }

    @Override
    public synchronized int selectNow() {
        woken = false;
        return 0;
    }

    @Override
    public synchronized Selector wakeup() {
        woken = true;
        notifyAll();
        return this;
    }

    @Override
    public Set<SelectionKey> keys() {
        return Set.of();
    }

    /** The JDK's default methods clear it. */
    @Override
    public Set<SelectionKey> selectedKeys() {
        return new HashSet<>();
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseSelector() {
        wakeup();
    }
}
