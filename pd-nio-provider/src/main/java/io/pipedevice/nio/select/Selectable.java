// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import io.pipedevice.lib.PdSource;
import sun.nio.ch.SelChImpl;

/** A channel of PipeDevice, as a selector sees it. Thread safe. */
public interface Selectable {
    /**
     * Returns the kernel channel inside, whose descriptor is to be watched. It stays this channel's.
     *
     * @return null if there is none
     */
    SelChImpl kernel();

    /**
     * Returns the socket on rings that is to be watched in memory. A server may have both this and a kernel channel.
     *
     * @return null on the kernel, or while it is not decided
     */
    PdSource ring();

    /**
     * Returns a second socket that is to be watched in memory, of a server to which clients come in two ways.
     *
     * @return null if there is none; the same at each call otherwise
     */
    default PdSource secondRing() {
        return null;
    }

    /**
     * Translates events of the kernel channel and the socket to operations.
     *
     * @param interest the operations that are asked for, as bits of {@link java.nio.channels.SelectionKey}
     * @param kernelEvents bits of poll(2), of {@link #kernel}
     * @param ringEvents bits of {@link io.pipedevice.lib.PdEpoll}, of {@link #ring}
     * @return the operations of {@code interest} that are ready
     */
    int readyOps(int interest, int kernelEvents, int ringEvents);

    /**
     * Keeps a key. The channel calls {@link PdSelectionKey#transportChanged} on it when {@link #kernel} or
     * {@link #ring} returns another object than before.
     *
     * @param key a registration of this channel
     */
    void registered(PdSelectionKey key);

    /**
     * Forgets a key, which no selector watches any more. When the last one is gone, a closed channel closes its
     * descriptor.
     *
     * @param key one that was {@link #registered}
     */
    void deregistered(PdSelectionKey key);
}
