// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdException;

/** Stub. */
final class PeerWait {
    private final PeerSource source;
    private final int direction;

    PeerWait(PeerSource source, int direction) {
        this.source = source;
        this.direction = direction;
    }

    boolean await(long timeoutNs) throws PdException {
        while (source.readiness(direction) == 0 && !source.waitsEnded()) {
            Thread.onSpinWait();
        }
        return timeoutNs > 0;
    }
}
