// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import io.pipedevice.linux.Fd;

/**
 * A direct link, as one of its two processes shows it.
 *
 * @param key of the process's own memory
 * @param peer the inode number of the other process's memory, as this one says
 * @param fd of the own memory, checked to be sealed and of the right size
 * @param isNew whether no driver has counted anything of it
 * @param owner the process
 */
public record ShownLink(LinkMark.Key key, long peer, Fd fd, boolean isNew, Owner owner) {
    /** The process that shows a link. Belongs to the driver's thread. */
    public interface Owner {
        /**
         * Has the process give a link up.
         *
         * @param memory the inode number of its memory
         * @param why for its log
         */
        void cut(long memory, String why);

        /**
         * The process has sent data on one of its links.
         *
         * @param bytes 0 or more
         * @param sinceNs they were sent after this time
         * @param nowNs and before this one
         * @return whether the data of all its links are much more than it may send
         */
        boolean hasSent(long bytes, long sinceNs, long nowNs);

        /**
         * Closes a memory that is not read any more.
         *
         * @param memory taken over
         */
        void close(Fd memory);
    }
}
