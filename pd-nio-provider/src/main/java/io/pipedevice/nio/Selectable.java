// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdSource;
import sun.nio.ch.SelChImpl;

/** What a selector needs of a PipeDevice channel. Any thread may call. */
interface Selectable {
    /** The inner kernel channel to watch by descriptor; null if there is none. */
    SelChImpl kernel();

    /** The socket to watch in memory; null while undecided or on the kernel. A server may have both. */
    PdSource ring();

    /**
     * What is ready.
     *
     * @param interest OP_* bits
     * @param kernelEvents poll(2) bits of {@link #kernel}
     * @param ringEvents PdEpoll bits of {@link #ring}
     * @return OP_* bits, of interest
     */
    int readyOps(int interest, int kernelEvents, int ringEvents);

    /** The channel keeps its keys, and calls {@code key.transportChanged()} when kernel() or ring() changed. */
    void registered(PdSelectionKey key);

    /** The last key of a closed channel: now the kernel descriptor may really be closed. */
    void deregistered(PdSelectionKey key);
}
