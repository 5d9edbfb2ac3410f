// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import java.io.IOException;

/** How the receiver of a stream in shared memory learns of new data. */
enum StreamFormat {
    /** One word has the count of bytes written. */
    POSITIONS {
        @Override
        Ends open(int size) throws IOException {
            return new PositionsStream(size);
        }
    },

    /** A command announces each message. A completion tells the sender that the space is free. */
    COMMANDS {
        @Override
        Ends open(int size) {
            return new CommandStream(size);
        }
    };

    /** Both ends of a stream, each for one thread. */
    interface Ends extends AutoCloseable {
        /** Sends a message if there is room. */
        boolean send() throws IOException;

        /** Copies out the available data, up to the end of a buffer; returns the number of bytes. */
        int receive() throws IOException;

        @Override
        void close();
    }

    /** Size of the receiver's buffer, in bytes. */
    static final int BUFFER_LENGTH = 64 << 10;

    /** Size of the ring, in bytes. */
    static final int RING_LENGTH = 1 << 20;

    abstract Ends open(int size) throws IOException;
}
