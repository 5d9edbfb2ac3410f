// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdListener;
import io.pipedevice.lib.PdNetwork;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.peer.PeerPlacement;
import java.io.IOException;
import java.net.StandardSocketOptions;

/** The two placements of connections. */
enum Placement {
    DRIVER {
        @Override
        Networks open() throws IOException {
            PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext());
            return new Networks(PipeDevice.init(driver), PipeDevice.init(driver), driver);
        }
    },
    PEER {
        @Override
        Networks open() throws IOException {
            return new Networks(new PeerPlacement(), new PeerPlacement(), () -> {});
        }
    };

    /** Two networks that stand for two processes. */
    record Networks(PdNetwork client, PdNetwork server, AutoCloseable driver) implements AutoCloseable {
        /** A listener whose connections have rings of the fixture's size. */
        PdListener listen() throws PdException {
            PdListener listener = server.listen(Attached.loopback(0), 4);
            if (listener instanceof PdSocket socket) {
                socket.setOption(StandardSocketOptions.SO_SNDBUF, InPlaceFixture.RING)
                        .setOption(StandardSocketOptions.SO_RCVBUF, InPlaceFixture.RING);
                socket.listen(4);
            }
            return listener;
        }

        @Override
        public void close() {
            client.close();
            server.close();
            try {
                driver.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    abstract Networks open() throws IOException;
}
