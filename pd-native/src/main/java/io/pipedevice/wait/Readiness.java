// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

/** A connection's end or a listening socket, as waits see it. All calls are for any thread. */
public interface Readiness {
    /**
     * What is ready now.
     *
     * @param wanted {@link io.pipedevice.lib.PdEpoll} bits
     * @return those of the wanted bits that are ready; ERR and HUP are always wanted
     * @throws IllegalStateException if its memory is closed
     */
    int readiness(int wanted);

    /**
     * Whether it was closed, or is about to be.
     *
     * @return whether nobody may block for it any more
     */
    boolean waitsEnded();
}
