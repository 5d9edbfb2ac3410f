// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.util.List;

/** Which ends of a conversation run PipeDevice. It is accelerated only if both do. */
enum Pairing {
    BOTH(true, true),
    SERVER_ONLY(true, false),
    CLIENT_ONLY(false, true),
    NEITHER(false, false);

    private final boolean server;
    private final boolean client;

    Pairing(boolean server, boolean client) {
        this.server = server;
        this.client = client;
    }

    static Pairing of(boolean server, boolean client) {
        if (server) {
            return client ? BOTH : SERVER_ONLY;
        }
        return client ? CLIENT_ONLY : NEITHER;
    }

    /** The pairings in which programs are run: in the short form only those with PipeDevice. */
    static List<Pairing> played() {
        return Sizes.FULL ? List.of(values()) : List.of(BOTH, SERVER_ONLY, CLIENT_ONLY);
    }

    boolean server() {
        return server;
    }

    boolean client() {
        return client;
    }
}
