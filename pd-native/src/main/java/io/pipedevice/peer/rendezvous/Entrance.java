// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

/** How the clients of a listener come to it. Thread safe. */
@FunctionalInterface
interface Entrance extends AutoCloseable {
    /** Lets no further client in, and closes the sockets of those that have no link yet. */
    @Override
    void close();
}
