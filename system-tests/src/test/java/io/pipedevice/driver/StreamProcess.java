// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.test.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * An honest process with one connection, on which it streams in one direction or in both until a line tells it to stop.
 * Arguments: the driver's directory; the seeds of the data that it sends and of those that it receives, 0 for none; the
 * port to connect to, 0 to listen.
 *
 * <p>Prints PORT if it listens, else READY, and then waits for a line before it connects; then CONNECTED; and at the
 * end the numbers of bytes as SENT and RECEIVED, or FAILED with the error.
 */
final class StreamProcess {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private volatile boolean stop;
    private volatile boolean failed;

    private StreamProcess() {}

    static ChildJvm start(Path directory, long sendSeed, long receiveSeed, int port) throws IOException {
        return ChildJvm.start(
                StreamProcess.class,
                directory.toString(),
                Long.toString(sendSeed),
                Long.toString(receiveSeed),
                Integer.toString(port));
    }

    public static void main(String[] arguments) throws Exception {
        new StreamProcess()
                .run(
                        Path.of(arguments[0]),
                        Long.parseLong(arguments[1]),
                        Long.parseLong(arguments[2]),
                        Integer.parseInt(arguments[3]));
    }

    private static synchronized void say(String line) {
        System.out.println(line);
    }

    private void run(Path directory, long sendSeed, long receiveSeed, int port) throws Exception {
        try (PipeDevice device = PipeDevice.init(DriverDirectory.at(directory));
                PdSocket socket = port == 0 ? accept(device) : connect(device, port)) {
            say("CONNECTED");
            awaitStop();
            PatternStream sent = new PatternStream(sendSeed);
            PatternStream received = new PatternStream(receiveSeed);
            Thread sender = new Thread(() -> send(socket, sent), "sender");
            if (sendSeed != 0) {
                sender.start();
            }
            if (receiveSeed != 0) {
                receive(socket, received);
            }
            sender.join();
            if (!failed) {
                say("SENT " + sent.position() + " RECEIVED " + received.position());
            }
        } catch (PdException e) {
            failed("attach or connect", e);
        }
        System.exit(failed ? 1 : 0);
    }

    private PdSocket accept(PipeDevice device) throws PdException {
        try (PdSocket listener = device.socket()) {
            listener.bind(TestDriver.loopback(0));
            listener.listen(1);
            say("PORT " + listener.localAddress().getPort());
            PdSocket socket = listener.accept(PATIENCE_NS);
            if (socket == null) {
                throw new PdException(Errno.ETIMEDOUT, "no client connected");
            }
            return socket;
        }
    }

    private PdSocket connect(PipeDevice device, int port) throws IOException {
        PdSocket socket = device.socket();
        say("READY");
        if (input.readLine() == null) {
            System.exit(3);
        }
        socket.connect(TestDriver.loopback(port));
        return socket;
    }

    /** The end of the input without a line means that the test's process has ended. */
    private void awaitStop() {
        Thread watch = new Thread(
                () -> {
                    try {
                        if (input.readLine() == null) {
                            Runtime.getRuntime().halt(3);
                        }
                        stop = true;
                    } catch (IOException e) {
                        failed("input", e);
                    }
                },
                "input");
        watch.setDaemon(true);
        watch.start();
    }

    private void send(PdSocket socket, PatternStream stream) {
        try {
            stream.send(socket, () -> !stop);
            socket.shutdownOutput();
        } catch (PdException | RuntimeException | AssertionError e) {
            failed("send after " + stream.position() + " bytes", e);
        }
    }

    private void receive(PdSocket socket, PatternStream stream) {
        try {
            stream.receive(socket);
        } catch (PdException | RuntimeException | AssertionError e) {
            failed("receive after " + stream.position() + " bytes", e);
        }
    }

    private void failed(String what, Throwable e) {
        failed = true;
        String why = e instanceof PdException known ? Errno.name(known.errno()) + " " + e.getMessage() : e.toString();
        say("FAILED " + what + ": " + why);
    }
}
