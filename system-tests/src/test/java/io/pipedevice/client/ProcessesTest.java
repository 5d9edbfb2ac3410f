// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Driver, sender and receiver are processes of their own, one of which may be killed. */
@Tag("processes")
@Timeout(60)
class ProcessesTest {
    @TempDir
    private Path directory;

    private final List<Child> children = new ArrayList<>();
    private Child driver;

    private static final class Child {
        final Process process;
        final BufferedReader output;

        Child(Process process) {
            this.process = process;
            this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        String says() throws IOException {
            String line = output.readLine();
            return line == null ? "END" : line;
        }

        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }

    private Child start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Peer.class.getName()));
        command.addAll(List.of(arguments));
        Child child = new Child(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
        children.add(child);
        return child;
    }

    @BeforeEach
    void startDriver() throws IOException {
        driver = start("driver", directory.toString());
        assertTrue(driver.says().startsWith("READY"));
    }

    @AfterEach
    void killAll() throws InterruptedException {
        for (Child child : children) {
            child.kill();
        }
    }

    private Child startReceiver() throws IOException {
        return start("receive", directory.toString(), "1");
    }

    private Child startSender(String port, long bytes, String close) throws IOException {
        Child sender = start("send", directory.toString(), port, Long.toString(bytes), close);
        assertEquals("READY", sender.says());
        return sender;
    }

    private static String portOf(Child receiver) throws IOException {
        String line = receiver.says();
        assertTrue(line.startsWith("READY "), line);
        return line.substring("READY ".length());
    }

    @Test
    void twoProcessesExchangeAStream() throws Exception {
        Child receiver = startReceiver();
        Child sender = startSender(portOf(receiver), 50_000_000, "close");
        String checksum = sender.says();
        assertTrue(checksum.startsWith("CHECKSUM "), checksum);
        assertEquals(checksum, receiver.says());
        assertEquals(0, sender.process.waitFor());
        assertEquals(0, receiver.process.waitFor());
    }

    @Test
    void killedSenderEndsTheStream() throws Exception {
        Child receiver = startReceiver();
        Child sender = startSender(portOf(receiver), 1_000_000, "hang");
        String checksum = sender.says();
        sender.kill();
        // Everything had been posted, so the kill looks like a close.
        assertEquals(checksum, receiver.says());
    }

    @Test
    void killedReceiverResetsTheSender() throws Exception {
        Child receiver = startReceiver();
        Child sender = startSender(portOf(receiver), 1L << 40, "close");
        Thread.sleep(300);
        receiver.kill();
        String end = sender.says();
        assertTrue(end.equals("FAILED Connection reset") || end.equals("FAILED Broken pipe"), end);
    }

    @Test
    void killedDriverIsNoticedByBoth() throws Exception {
        Child receiver = startReceiver();
        String port = portOf(receiver);
        Child sender = startSender(port, 1L << 40, "close");
        Child waiting = start("wait", directory.toString(), port);
        assertEquals("READY", waiting.says());
        Thread.sleep(300);
        driver.kill();
        for (Child child : List.of(sender, receiver, waiting)) {
            String end = child.says();
            assertTrue(end.startsWith("FAILED PD Driver is gone"), end);
        }
        // The next driver takes over the files that the killed one left in the directory.
        startDriver();
        Child second = startReceiver();
        assertTrue(startSender(portOf(second), 1000, "close").says().startsWith("CHECKSUM"));
    }

    @Test
    void attachFromThisProcessToo() throws Exception {
        try (PipeDevice device = PipeDevice.init(DriverDirectory.at(directory));
                PdSocket listener = device.socket()) {
            listener.bind(Attached.loopback(0));
            listener.listen(1);
            Child sender = startSender(Integer.toString(listener.localAddress().getPort()), 100_000, "hang");
            try (PdSocket socket = listener.accept(Attached.PATIENCE_NS)) {
                assertTrue(sender.says().startsWith("CHECKSUM"));
                int sum = 0;
                PdBuffer buffer = new PdBuffer();
                while (sum < 100_000) {
                    int length = socket.recv(100_000, buffer, Attached.PATIENCE_NS);
                    socket.recvDone(length);
                    sum += length;
                }
                sender.kill();
                assertEquals(PdSocket.END_OF_STREAM, Bytes.receiveEnd(socket));
            }
        }
    }
}
