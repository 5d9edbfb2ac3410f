// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.socket;

import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.linux.LazyLogger;
import java.io.IOException;
import java.lang.System.Logger.Level;

/**
 * Allocates the receive rings that a connection will take. It works in steps, because the kernel takes milliseconds to
 * allocate the pages of a large ring. Belongs to the driver's thread.
 */
final class RingPreparation implements Chores.Chore {
    private static final System.Logger LOG = new LazyLogger(RingPreparation.class).get();
    private static final int STEP_BYTES = 256 << 10;

    /**
     * More steps than two of the largest rings need. There is a limit because other connections may take or drop the
     * prepared rings meanwhile.
     */
    private static final int MAX_STEPS = 64;

    private final AttachedProcess client;
    private final int clientSize;
    private final int clientStart;
    private final AttachedProcess server;
    private final int serverSize;
    private final int serverStart;
    private int steps;

    /** The sizes of the rings, and how much of them is used at first, at most. */
    RingPreparation(
            AttachedProcess client,
            int clientSize,
            int clientStart,
            AttachedProcess server,
            int serverSize,
            int serverStart) {
        this.client = client;
        this.clientSize = clientSize;
        this.clientStart = Math.min(clientSize, clientStart);
        this.server = server;
        this.serverSize = serverSize;
        this.serverStart = Math.min(serverSize, serverStart);
    }

    @Override
    public boolean step(long nowNs) {
        if (client.isGone() || server.isGone() || ++steps > MAX_STEPS) {
            return false;
        }
        try {
            if (client == server && clientSize == serverSize) {
                return !client.memory.receivePool.prepare(
                        clientSize, Math.max(clientStart, serverStart), 2, clientSize, STEP_BYTES);
            }
            return !client.memory.receivePool.prepare(clientSize, clientStart, 1, serverSize, STEP_BYTES)
                    || !server.memory.receivePool.prepare(serverSize, serverStart, 1, clientSize, STEP_BYTES);
        } catch (IOException e) {
            // The connect will fail for the same reason.
            LOG.log(Level.DEBUG, "no memory for a receive ring: {0}", e.getMessage());
            return false;
        }
    }
}
