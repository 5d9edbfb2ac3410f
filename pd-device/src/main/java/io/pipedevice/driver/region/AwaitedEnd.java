// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.control.Reply;

/** A message that is answered when something has ended, for which the process itself may have something to do. */
final class AwaitedEnd implements Reply.Later {
    private final RegionMessage request;

    AwaitedEnd(RegionMessage request) {
        this.request = request;
    }

    @Override
    public Reply resume(long nowNs) {
        request.answer();
        return Reply.answer();
    }

    @Override
    public boolean isEndWatched() {
        return true;
    }
}
