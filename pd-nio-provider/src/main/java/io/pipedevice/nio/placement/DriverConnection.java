// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.lib.PdSocket;
import java.net.StandardSocketOptions;

/** A socket that a driver connected, and the attachment that it belongs to. */
record DriverConnection(DriverAttachment attachment, PdSocket stream) implements RingConnection {
    @Override
    public void linger(int seconds) {
        stream.setOption(StandardSocketOptions.SO_LINGER, seconds == 0 ? 0 : -1);
    }

    @Override
    public void sendSize(int bytes) {
        // The size was passed to the driver when the socket connected, and is final.
    }

    @Override
    public void close() {
        attachment.close(stream);
    }
}
