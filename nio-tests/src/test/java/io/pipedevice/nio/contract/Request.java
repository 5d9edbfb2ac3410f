// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.Serializable;

/**
 * A call of a {@link Player} in another process.
 *
 * @param kind which method
 * @param pairing of the game that begins, else null
 * @param ends of the game that begins; null if both are channels
 * @param act the argument of the method, else null
 */
record Request(Kind kind, Pairing pairing, SocketEnds ends, Act act) implements Serializable {
    /** The methods of a player. */
    enum Kind {
        ENTER,
        ACT,
        BEGIN,
        INTERRUPT,
        END,
        LEAVE
    }
}
