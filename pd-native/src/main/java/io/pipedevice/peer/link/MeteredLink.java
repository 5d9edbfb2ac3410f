// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.Fd;

/** A link as the driver that has introduced its two processes sees it: the driver reads its positions. Thread safe. */
public interface MeteredLink {
    /**
     * The memory of this side, whose positions say what has been sent and received.
     *
     * @return owned by the link, which closes it at its end
     */
    Fd memory();

    /**
     * The memory of the other side, by which a driver recognizes it.
     *
     * @return its inode number
     */
    long peerMemory();

    /**
     * Has a task run at the end of the link. Replaces an earlier one.
     *
     * @param then runs once, perhaps at once, by a thread that may hold the link's lock; takes no lock of a link
     */
    void whenEnded(Runnable then);

    /**
     * Gives the link up: all its connections are reset, at both ends.
     *
     * @param why for the log
     */
    void giveUp(String why);
}
