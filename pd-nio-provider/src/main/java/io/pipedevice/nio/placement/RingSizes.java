// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

/** The sizes that a program asked for, by options, for the rings of a connection. Thread safe. */
public interface RingSizes {
    /**
     * Returns the size of the send ring.
     *
     * @param otherwise the size if the program asked for none
     * @return in bytes, as the program gave it
     */
    int sendSize(int otherwise);

    /**
     * Returns the size of the receive ring.
     *
     * @param otherwise the size if the program asked for none
     * @return in bytes, as the program gave it
     */
    int receiveSize(int otherwise);
}
