// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import java.io.IOException;
import java.nio.file.Path;

/** The program of the child processes of {@link ProcessesTest}. Each prints READY when it is ready. */
final class Peer {
    private Peer() {}

    public static void main(String[] arguments) throws Exception {
        endWithParent();
        Path directory = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "driver" -> driver(directory);
            case "receive" -> receive(directory, Long.parseLong(arguments[2]));
            case "send" -> send(directory, Integer.parseInt(arguments[2]), Long.parseLong(arguments[3]), arguments[4]);
            case "wait" -> waitForEver(directory, Integer.parseInt(arguments[2]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Ends this process when standard input ends, which happens however the test's process ends. */
    private static void endWithParent() {
        Thread watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    Thread.onSpinWait();
                }
            } catch (IOException e) {
                say("standard input: " + e);
            }
            Runtime.getRuntime().halt(3);
        });
        watch.setDaemon(true);
        watch.start();
    }

    private static void driver(Path directory) throws Exception {
        try (PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext().directory(directory))) {
            say("READY " + driver);
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    /** Prints the port, accepts one connection, and prints the checksum of the received data, or the error. */
    private static void receive(Path directory, long seed) throws Exception {
        try (PipeDevice device = PipeDevice.init(DriverDirectory.at(directory));
                PdSocket listener = device.socket()) {
            listener.bind(Attached.loopback(0));
            listener.listen(4);
            say("READY " + listener.localAddress().getPort());
            try (PdSocket socket = listener.accept(PipeDevice.FOREVER)) {
                say("CHECKSUM " + RandomStream.receive(socket, seed));
            }
        } catch (PdException e) {
            say("FAILED " + e.getMessage());
        }
    }

    /** Sends {@code bytes} bytes, prints their checksum, and closes as specified. */
    private static void send(Path directory, int port, long bytes, String close) throws Exception {
        try (PipeDevice device = PipeDevice.init(DriverDirectory.at(directory));
                PdSocket socket = device.socket()) {
            socket.connect(Attached.loopback(port));
            say("READY");
            say("CHECKSUM " + RandomStream.send(socket, bytes, bytes, 10_000));
            if (close.equals("hang")) {
                Thread.sleep(Long.MAX_VALUE);
            }
        } catch (PdException e) {
            say("FAILED " + e.getMessage());
        }
    }

    /** Connects and blocks in recv; prints the result. */
    private static void waitForEver(Path directory, int port) throws Exception {
        try (PipeDevice device = PipeDevice.init(DriverDirectory.at(directory));
                PdSocket socket = device.socket()) {
            socket.connect(Attached.loopback(port));
            say("READY");
            say("RECEIVED " + socket.recv(1, new PdBuffer(), PipeDevice.FOREVER));
        } catch (PdException e) {
            say("FAILED " + e.getMessage());
        }
    }
}
