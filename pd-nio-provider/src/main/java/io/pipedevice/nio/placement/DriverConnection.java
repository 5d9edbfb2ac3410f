// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.lib.PdSocket;
import io.pipedevice.nio.stat.RingPath;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * A socket that a driver connected.
 *
 * @param attachment that it belongs to
 * @param stream the socket
 * @param kernel the kernel connection that an accepted one replaces, or null
 */
record DriverConnection(DriverAttachment attachment, PdSocket stream, SocketChannel kernel) implements RingConnection {
    DriverConnection(DriverAttachment attachment, PdSocket stream) {
        this(attachment, stream, null);
    }

    @Override
    public RingPath path() {
        return RingPath.DEVICE;
    }

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
