// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;

/** What peers ring to wake a sleeper of this process. */
final class Bell {
    private final UnixSocket[] ends;

    Bell() throws LinuxException {
        ends = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
    }

    UnixSocket ringingEnd() {
        return ends[1];
    }

    UnixSocket sleepingEnd() {
        return ends[0];
    }

    void signal() {
        ends[1].ring();
    }

    void close() {
        ends[0].close();
        ends[1].close();
    }
}
