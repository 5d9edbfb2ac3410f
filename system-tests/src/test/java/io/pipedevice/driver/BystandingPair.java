// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.test.Bystander;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A {@link Bystander} that a driver serves, as two attached processes. Argument: the driver's directory.
 */
final class BystandingPair implements Bystander.Side {
    private static final int BACKLOG = 64;
    private static final int RING = 16 << 10;

    private final Path directory;
    private final PipeDevice client;
    private final PipeDevice server;
    private final PdSocket listener;

    /** Null before they are used. */
    private BystandingServices services;

    private BystandingPair(Path directory) throws IOException {
        this.directory = directory;
        client = PipeDevice.init(DriverDirectory.at(directory));
        server = PipeDevice.init(DriverDirectory.at(directory));
        listener = listen();
    }

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        new Bystander(() -> new BystandingPair(directory), 1).run();
    }

    private PdSocket listen() throws IOException {
        PdSocket socket = server.socket();
        socket.bind(TestDriver.loopback(0));
        socket.listen(BACKLOG);
        Thread.ofPlatform().daemon().name("accept").start(() -> accept(socket));
        return socket;
    }

    private static void accept(PdSocket listener) {
        while (listener.isOpen()) {
            try {
                PdSocket socket = listener.accept(PipeDevice.FOREVER);
                Thread.ofPlatform().daemon().name("echo").start(() -> echo(socket));
            } catch (PdException e) {
                // The socket is closed, or the bystander reports the error.
                return;
            }
        }
    }

    private static void echo(PdSocket socket) {
        try {
            Bystander.echo(socket);
        } catch (IOException e) {
            // The bystander reports the error.
            socket.abort();
        }
    }

    @Override
    public PdConnection connect() throws IOException {
        return client.connect(listener.localAddress(), RING);
    }

    @Override
    public String serve() throws IOException {
        if (services == null) {
            services = new BystandingServices(directory);
        }
        services.once();
        return services.toString();
    }

    @Override
    public void close() {
        if (services != null) {
            services.close();
        }
        client.close();
        server.close();
    }
}
