// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdSocket;
import java.net.StandardSocketOptions;

/** A connected socket and the attachment that it belongs to. */
record RingConnection(RingAttachment attachment, PdSocket socket) {
    /** Says what close does with data on their way: 0 drops them, anything else delivers them in the background. */
    void linger(int seconds) {
        socket.setOption(StandardSocketOptions.SO_LINGER, seconds == 0 ? 0 : -1);
    }

    void close() {
        attachment.close(socket);
    }
}
