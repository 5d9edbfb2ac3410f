// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

import io.pipedevice.linux.Fd;

/** What becomes of a message of a control connection. Belongs to the driver's thread. */
public sealed interface Reply {
    /**
     * The answer, which has replaced the request in its message.
     *
     * @param along the descriptors to send with it; closed by their owner, unless the answer {@linkplain Answer#closing
     *     closes} them
     * @return the reply
     */
    static Answer answer(Fd... along) {
        return new Answer(along);
    }

    /**
     * No answer: there is none to this type of message, or another message will be it.
     *
     * @return always the same
     */
    static Reply none() {
        return None.NONE;
    }

    /** The answer is in the message. */
    final class Answer implements Reply {
        private final Fd[] along;
        private Fd[] passed = {};

        private Answer(Fd... along) {
            this.along = along;
        }

        /**
         * Gives descriptors away with the answer.
         *
         * @param fds closed when the answer was sent, or could not be sent
         * @return this
         */
        public Answer closing(Fd... fds) {
            passed = fds;
            return this;
        }

        /** Closes what was given away. */
        void sent() {
            for (Fd each : passed) {
                each.close();
            }
        }

        /** The descriptors to send with it. */
        Fd[] along() {
            return along;
        }
    }

    /** There is no answer. */
    enum None implements Reply {
        /** The only one. */
        NONE
    }

    /**
     * The answer comes later. This has what the message needs to go on, and owns what it holds until then. Work that
     * was begun for it calls {@link ControlRequest#resume} when it is done: once, and after this was returned.
     * Meanwhile no other message of the session is received.
     */
    @FunctionalInterface
    non-sealed interface Later extends Reply {
        /**
         * Goes on with the message.
         *
         * @param nowNs the time
         * @return what becomes of it now
         * @throws Refusal if it is refused after all
         */
        Reply resume(long nowNs) throws Refusal;

        /**
         * Releases what the message holds, because its session has ended, and the message does not go on. The work may
         * end later, and call {@link ControlRequest#resume}, or not.
         */
        default void abandon() {}

        /**
         * Whether the end of the session is noticed meanwhile: if the message waits for what the process itself has to
         * do, which a process that has ended never does, or for the programs of others, which then have one less before
         * them.
         *
         * @return false if the end waits, too
         */
        default boolean isEndWatched() {
            return false;
        }
    }
}
