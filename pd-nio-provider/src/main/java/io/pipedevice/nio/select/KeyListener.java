// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

/** Receives the changes of a selector's keys. Thread safe. */
interface KeyListener {
    /** The program has changed the interest set of a key. */
    void interestChanged(PdSelectionKey key);

    /** The channel of a key has another transport, which a select that is in progress has to watch. */
    void transportChanged(PdSelectionKey key);
}
