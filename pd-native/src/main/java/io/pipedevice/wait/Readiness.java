// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

/** One end of a connection or a listening socket, as waits see it. Any thread may make all calls. */
public interface Readiness {
    /**
     * The present readiness.
     *
     * @param wanted {@link io.pipedevice.lib.PdEpoll} bits
     * @return those of the wanted bits that are ready; ERR and HUP are always wanted
     * @throws IllegalStateException if the memory of the connection is closed
     */
    int readiness(int wanted);

    /**
     * Whether the end or socket was closed, or is about to be.
     *
     * @return true if threads must no longer block for it
     */
    boolean waitsEnded();
}
