// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

/**
 * The position up to which the traffic of a direct link has been added to the account of one of its processes. The next
 * driver continues from there: the link outlives this driver. Immutable.
 *
 * @param key the memory
 * @param sent bytes that are in the account
 * @param received likewise
 * @param connections likewise
 */
public record LinkMark(Key key, long sent, long received, long connections) {
    /**
     * A memory of a link. Until the machine starts again, no other one has the same key.
     *
     * @param pid the process that owns it
     * @param startTime when that process started, in the kernel's ticks
     * @param memory its inode number
     */
    public record Key(int pid, long startTime, long memory) {}
}
