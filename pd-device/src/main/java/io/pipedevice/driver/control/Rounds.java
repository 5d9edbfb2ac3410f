// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

/**
 * Counts rounds of the control connections. In a round each session that has messages is served until it has none left,
 * or has been served some times. So whatever a modest session sent before a round began is handled at its end, also if
 * others send more than the driver can handle. Belongs to the driver's thread.
 */
final class Rounds {
    /** A process sends fewer messages for a connection. A busy driver handles one of them at a time. */
    static final int MOST_SERVINGS = 4;

    private long number = 1;

    /** A session was served. */
    void served(ControlSession session, boolean isDrained) {
        if (session.round != number) {
            session.round = number;
            session.servings = 0;
        }
        session.servings = isDrained ? MOST_SERVINGS : session.servings + 1;
    }

    /** Whether a session that has messages was served enough in this round. */
    boolean hasServed(ControlSession session) {
        return session.round == number && session.servings >= MOST_SERVINGS;
    }

    /** This round is over, and the next one begins. */
    void end() {
        number++;
    }

    /** The number of rounds that are over. */
    long ended() {
        return number - 1;
    }
}
