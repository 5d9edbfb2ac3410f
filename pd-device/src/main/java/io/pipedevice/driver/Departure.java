// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.Endpoint;
import io.pipedevice.driver.data.RequestReader;
import io.pipedevice.driver.data.Teardown;
import io.pipedevice.driver.share.Chores;

/**
 * Closes the sockets of a process that has left. Unless the process was detached, this first takes the requests
 * that it had posted, and its data are still delivered. Belongs to the driver's thread.
 */
final class Departure implements Chores.Chore {
    private static final int STEP_SOCKETS = 16;

    private final RequestReader requests;
    private final Teardown teardown;
    private final AttachedProcess process;
    private final boolean abort;
    private int untaken;
    private int nextSid;

    Departure(RequestReader requests, Teardown teardown, AttachedProcess process, boolean abort) {
        this.requests = requests;
        this.teardown = teardown;
        this.process = process;
        this.abort = abort;
        this.untaken = abort ? 0 : process.pages.requestDepth();
    }

    @Override
    public boolean step(long now) {
        if (untaken > 0) {
            int taken = requests.drain(process, now);
            untaken = taken == 0 ? 0 : untaken - taken;
            return true;
        }
        for (int i = 0; i < STEP_SOCKETS; i++) {
            Endpoint endpoint = process.sockets.next(nextSid);
            if (endpoint == null) {
                process.sockets.closed();
                return false;
            }
            nextSid = endpoint.sid + 1;
            teardown.close(endpoint, abort, now);
        }
        return true;
    }
}
