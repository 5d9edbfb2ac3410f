// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.linux.LazyLogger;
import io.pipedevice.nio.select.PdSelectionKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys of a channel, and the close that waits for them. The descriptor of a registered channel stays open until its
 * selectors have deregistered it, so that its number does not become another channel's while they still watch it.
 * Thread safe.
 */
final class ChannelKeys {
    /** Closes the kernel channel. */
    interface Close {
        void run() throws IOException;
    }

    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");

    /** Guarded by this object's monitor. */
    private final List<PdSelectionKey> keys = new ArrayList<>(1);

    private Close pending;

    synchronized void add(PdSelectionKey key) {
        keys.add(key);
    }

    void remove(PdSelectionKey key) {
        Close now;
        synchronized (this) {
            keys.remove(key);
            if (!keys.isEmpty() || pending == null) {
                return;
            }
            now = pending;
            pending = null;
        }
        try {
            now.run();
        } catch (IOException e) {
            LOG.get().log(System.Logger.Level.DEBUG, "close after deregistration", e);
        }
    }

    /**
     * Closes at once if there are no keys, otherwise when the last one goes.
     *
     * @return whether it closed
     */
    boolean closeWhenUnused(Close close) throws IOException {
        synchronized (this) {
            if (!keys.isEmpty()) {
                pending = close;
                return false;
            }
        }
        close.run();
        return true;
    }

    /** Makes the selectors watch the channel's present transport. */
    void transportChanged() {
        List<PdSelectionKey> all;
        synchronized (this) {
            if (keys.isEmpty()) {
                return;
            }
            all = List.copyOf(keys);
        }
        all.forEach(PdSelectionKey::transportChanged);
    }
}
