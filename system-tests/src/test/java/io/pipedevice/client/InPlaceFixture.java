// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdListener;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A connection of one placement, for contracts of both placements. A network stands for each process. */
abstract class InPlaceFixture {
    /** Size of the rings or, if they grow, their final size: the smallest that both placements have. */
    static final int RING = 64 << 10;

    private final Placement placement;
    private Placement.Networks networks;
    PdConnection client;
    PdConnection server;

    InPlaceFixture(Placement placement) {
        this.placement = placement;
    }

    @BeforeEach
    final void connect() throws IOException {
        networks = placement.open();
        try (PdListener listener = networks.listen()) {
            client = networks.client().connect(listener.localAddress(), RING);
            server = listener.accept(Attached.PATIENCE_NS);
        }
    }

    @AfterEach
    final void close() {
        server.close();
        client.close();
        networks.close();
    }

    /** Another connection. */
    final void reconnect() throws IOException {
        close();
        connect();
    }
}
