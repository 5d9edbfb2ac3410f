// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdListener;
import io.pipedevice.lib.PdNetwork;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The network of a program by PD Lib: of the driver whose directory the property {@code pipedevice.driver} names, or of
 * peers without it.
 */
final class Placement implements AutoCloseable {
    private static final int CONNECT_ATTEMPTS = 10;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final PdNetwork network;
    private final String name;

    private Placement(PdNetwork network, String name) {
        this.network = network;
        this.name = name;
    }

    static Placement ofProperty() throws PdException {
        String driver = System.getProperty("pipedevice.driver");
        return driver == null
                ? new Placement(Transfer.network(null), "peers")
                : new Placement(Transfer.network(Path.of(driver)), "driver");
    }

    /** Listens at any port, for one process to connect. */
    PdListener listen(InetAddress host) throws PdException {
        return network.listen(new InetSocketAddress(host, 0), 1);
    }

    /**
     * Connects. A driver refuses connections to another network namespace until it knows from the kernel what leads
     * there.
     */
    PdConnection connect(InetSocketAddress address, int ringSize) throws PdException {
        for (int attempt = 1; ; attempt++) {
            try {
                return network.connect(address, ringSize);
            } catch (PdException e) {
                if (attempt == CONNECT_ATTEMPTS) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** What a program prints of a connection. */
    String text(PdConnection connection) {
        return "PdConnection[local=" + connection.localAddress() + " remote=" + connection.peerAddress() + " " + name
                + ", rings]";
    }

    @Override
    public void close() {
        network.close();
    }
}
