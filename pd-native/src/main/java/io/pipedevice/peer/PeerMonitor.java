// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

/** Is told what other processes do to a {@link PeerNetwork}, for counters. Several threads call it; its methods do not wait. */
public interface PeerMonitor {
    /** A process of another user connected to a listener, and was refused. */
    void strangerRefused();

    /**
     * Descriptors of peers are closed, or wait for that.
     *
     * @param change how many more there are, less than 0 for fewer
     */
    void closing(int change);

    /** One that counts nothing. */
    PeerMonitor NONE = new PeerMonitor() {
        @Override
        public void strangerRefused() {}

        @Override
        public void closing(int change) {}
    };
}
