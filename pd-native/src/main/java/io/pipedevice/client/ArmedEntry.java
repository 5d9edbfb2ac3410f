// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdSource;
import io.pipedevice.wait.WaitEntry;
import io.pipedevice.wait.WaitSet;

/** A socket in an epoll instance, as {@link EpollEntries} knows it. */
abstract class ArmedEntry extends WaitEntry {
    final WaitSet epoll;

    /** The instance's own. */
    final int doorbell;

    /** The events for which it was last armed, 0 if it is active. Written by the waiting thread, read by any thread. */
    volatile int armed;

    ArmedEntry(WaitSet epoll, PdSource source, int doorbell, int interest, Object attachment) {
        super(epoll, source, interest, attachment);
        this.epoll = epoll;
        this.doorbell = doorbell;
    }
}
