// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.Serializable;

/**
 * An action for one end of a {@link Game}.
 *
 * @param kind the kind of the action
 * @param line which of its connections
 * @param form which of the ways to do it
 * @param size bytes, or another parameter of the kind
 * @param position in the stream that is written or read
 * @param thread which kind of thread does it
 */
record Act(Kind kind, int line, int form, int size, long position, ThreadKind thread) implements Serializable {
    /** The same action, from another position on. */
    Act from(long start) {
        return new Act(kind, line, form, size, start, thread);
    }

    /** The actions of an end. */
    enum Kind {
        LISTEN,
        STOP_LISTENING,
        CONNECT,
        ACCEPT,
        WRITE,

        /** Writes, and returns the time of its end. */
        NOTED_WRITE,

        READ,
        TIMED_READ,
        SEND_FILE,
        RECEIVE_FILE,
        INTERRUPTED,
        WRITE_ALL,
        FILL,
        READ_SOME,
        READ_TO_END,
        AVAILABLE,
        LOOK,
        SHUT_INPUT,
        SHUT_OUTPUT,
        LINGER,
        CLOSE,
        MODE,
        REGISTER,
        INTEREST,
        CANCEL,
        SELECT,
        BLOCK_IN_SELECT,

        /** Selects again and again until {@link #END_OF_SELECTS}. */
        SELECT_BUSILY,

        END_OF_SELECTS,
        WAKE_UP,
        SETTLE
    }
}
