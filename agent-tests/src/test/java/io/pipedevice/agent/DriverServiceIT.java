// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.DatagramReceiver;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.tool.PipeDeviceCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver as the service that an operator runs: what it reports to the service manager and to Prometheus. */
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DriverServiceIT extends DoctorPrograms {
    private static final String METRICS_AT = "metrics at ";

    /** The arguments of the command line. */
    private List<String> arguments(String... options) {
        List<String> arguments = new ArrayList<>(List.of("driver", "--dir", dir.toString()));
        arguments.addAll(List.of(options));
        return arguments;
    }

    private String[] driver(String... options) {
        List<String> command = new ArrayList<>(List.of(JAVA, SMALL, "-jar", Jvm.JAR.toString()));
        command.addAll(arguments(options));
        return command.toArray(String[]::new);
    }

    private static HttpResponse<String> get(URI address) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void countersAreServedToPrometheus() throws Exception {
        Process driver = start(driver("--metrics", "127.0.0.1:0", "--path", "device"));
        String line = next(driver);
        assertTrue(line.startsWith(METRICS_AT + "http://127.0.0.1:"), line);
        assertTrue(next(driver).endsWith(" ready on " + dir));
        URI address = URI.create(line.substring(METRICS_AT.length()));
        String flag = "-Dpipedevice.driver=" + dir;
        Process server = holdWith(flag, "serve", "accept");
        Process client = holdWith(flag, "connect", next(server));
        assertEquals("ready", next(client));
        assertEquals("ready", next(server));
        HttpResponse<String> answer = get(address);
        assertEquals(200, answer.statusCode(), answer::body);
        List<String> lines = answer.body().lines().toList();
        assertTrue(lines.contains("# TYPE pipedevice_copied_bytes_total counter"), answer::body);
        assertTrue(lines.contains("# TYPE pipedevice_memory_bytes gauge"), answer::body);
        assertTrue(lines.contains("pipedevice_attachments 2.0"), answer::body);
        assertTrue(lines.contains("pipedevice_connections 1.0"), answer::body);
        assertEquals(2.0, of(lines, "pipedevice_attachment_sockets", server), answer::body);
        assertEquals(1.0, of(lines, "pipedevice_attachment_sockets", client), answer::body);
        assertEquals(0.0, of(lines, "pipedevice_attachment_sent_bytes_total", client), answer::body);
        assertTrue(
                lines.stream().anyMatch(found -> found.startsWith("pipedevice_device_commands_total{device=")),
                answer::body);
        assertEquals(200, get(address.resolve("/-/healthy")).statusCode());
    }

    /** The value of a process's metric. */
    private static double of(List<String> lines, String metric, Process process) {
        List<String> found = lines.stream()
                .filter(line -> line.startsWith(metric + "{") && line.contains("pid=\"" + process.pid() + "\""))
                .toList();
        assertEquals(1, found.size(), () -> metric + " in " + lines);
        return Double.parseDouble(found.get(0).substring(found.get(0).lastIndexOf(' ') + 1));
    }

    private String refused(int exit, String... options) {
        StringWriter err = new StringWriter();
        assertEquals(
                exit,
                PipeDeviceCommand.commandLine(List.of())
                        .setErr(new PrintWriter(err))
                        .execute(arguments(options).toArray(String[]::new)),
                err::toString);
        return err.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"9400", ":9400", "::1:9400", "localhost:", "localhost:99999", "localhost:http"})
    void addressWithoutHostOrPortIsRefusedWithTheForm(String address) {
        String err = refused(2, "--metrics", address);
        assertTrue(err.contains("'" + address + "' is not HOST:PORT; write it as 127.0.0.1:9400"), err);
    }

    @Test
    void addressInUseIsNamedAndNoDriverRuns() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String err = refused(1, "--metrics", "127.0.0.1:" + taken.getLocalPort());
            assertTrue(err.contains("cannot serve metrics at 127.0.0.1:" + taken.getLocalPort() + ": "), err);
            assertEquals(1, err.lines().count(), err);
        }
    }

    @Test
    void serviceManagerIsNotifiedOfStartAndStop() throws Exception {
        Path socket = dir.resolve("notify");
        try (DatagramReceiver manager = DatagramReceiver.bind(UnixAddress.path(socket))) {
            ProcessBuilder builder = new ProcessBuilder(driver()).redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().put("NOTIFY_SOCKET", socket.toString());
            Process driver = builder.start();
            started.add(driver);
            assertEquals("READY=1", manager.receive());
            driver.destroy();
            assertEquals("STOPPING=1", manager.receive());
            assertEquals(0, driver.waitFor());
        }
    }
}
