// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;

/** A socket, as its streams see it. Thread safe. */
interface StreamSocket {
    /** The reads of its channel, which is connected. */
    ChannelReader reader();

    /** The writes of its channel. */
    ChannelWriter writer();

    /** The longest wait of a read. */
    long timeoutNs();

    /** The exception that the program gets for one of the channel's; throws it if it is not an IOException. */
    IOException failure(Exception e);

    /** Closes the socket. */
    void close() throws IOException;
}
