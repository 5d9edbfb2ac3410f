// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.AGENTS;
import static io.pipedevice.compat.JavaCommand.Library.NONE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.nio.stat.KernelReason;
import io.pipedevice.nio.stat.PipeDeviceMXBean;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Agents of others beside PipeDevice's. */
@Timeout(1800)
final class AgentsProgramsTest {
    private static final List<String> LINES = List.of("one", "two", "three");

    /** A span as OpenTelemetry's agent logs it: its name, its identifiers, its kind, its tracer, and its attributes. */
    private static final Pattern SPAN =
            Pattern.compile(".*('.*') : \\w{32} \\w{16} (\\w+) \\[tracer: (.*)\\] AttributesMap\\{data=\\{(.*)\\}, .*");

    /** A metric as OpenTelemetry's agent logs it, its points, and their attributes and values. */
    private static final Pattern METRIC = Pattern.compile(" name=(pipedevice\\.[\\w.]+), .*points=\\[(.*)], monotonic");

    private static final Pattern POINT = Pattern.compile("attributes=(\\{[^}]*}), value=(\\d+)");

    private static final String TELEMETRY = "-javaagent:" + AGENTS.jar("opentelemetry-javaagent");
    private static final List<String> SPANS =
            List.of("-Dotel.traces.exporter=console", "-Dotel.metrics.exporter=none", "-Dotel.logs.exporter=none");

    /** The agent changes only what makes these spans: with all that it knows it takes twice as long to start. */
    private static final List<String> FEW = List.of(
            "-Dotel.instrumentation.common.default-enabled=false",
            "-Dotel.instrumentation.java-http-client.enabled=true",
            "-Dotel.instrumentation.java-http-server.enabled=true",
            "-Dotel.instrumentation.executors.enabled=true");

    /** On busy processors the agents may take minutes to start. */
    private static final Duration START = Duration.ofMinutes(4);

    /** It may leave the program's classes as they are. */
    private static final List<String> METRICS = List.of(
            "-Dotel.instrumentation.common.default-enabled=false",
            "-Dotel.instrumentation.jmx-metrics.enabled=true",
            "-Dotel.traces.exporter=none",
            "-Dotel.metrics.exporter=console",
            "-Dotel.logs.exporter=none",
            "-Dotel.metric.export.interval=500",
            "-Dotel.jmx.discovery.delay=100");

    @RegisterExtension
    private final Stage stage = new Stage();

    @TempDir
    private Path directory;

    /** The place of OpenTelemetry's agent. */
    private enum Place {
        ALONE,
        FIRST,
        LAST
    }

    @Test
    void openTelemetryRecordsTheSameSpansAsAlone() throws IOException, InterruptedException {
        List<String> alone = spans(Place.ALONE, Place.ALONE);
        assertEquals(2 * LINES.size(), alone.size(), alone::toString);
        List<String> cached = List.of("-XX:AOTMode=on", "-XX:AOTCache=" + serverCache());
        assertEquals(
                alone,
                spans(Place.FIRST, Place.LAST, cached),
                "first at the server, which has a cache, last at the client");
        if (Sizes.FULL) {
            assertEquals(alone, spans(Place.LAST, Place.FIRST), "last at the server, first at the client");
        }
    }

    /**
     * Makes an AOT cache of the server with both agents. The JVM would fail at this if OpenTelemetry's agent changed
     * classes meanwhile.
     */
    private Path serverCache() throws IOException, InterruptedException {
        String port = port();
        Path cache = directory.resolve("server.aot");
        Program server = stage.start(
                true,
                packagedServer(port).with("-XX:AOTCacheOutput=" + cache, TELEMETRY, "-Dotel.javaagent.enabled=false"));
        Program client = stage.start(true, client(port));
        ask(server, client);
        assertEquals(0, client.leave());
        assertEquals(0, server.leave());
        assertTrue(Files.exists(cache), server::log);
        return cache;
    }

    /** The spans of a server and a client, without what each run has of its own. */
    private List<String> spans(Place atServer, Place atClient) throws IOException, InterruptedException {
        return spans(atServer, atClient, List.of());
    }

    /** The same with options for the server's JVM that use an AOT cache; none if there is none. */
    private List<String> spans(Place atServer, Place atClient, List<String> cached)
            throws IOException, InterruptedException {
        // These agents take seconds to start, so both programs start at a time.
        String port = port();
        JavaCommand serving = cached.isEmpty() ? server(port) : packagedServer(port);
        Program server = start(atServer, serving.with(cached.toArray(String[]::new)));
        Program client = start(atClient, client(port));
        ask(server, client);
        if (atServer != Place.ALONE) {
            new Counters(client).allAccelerated(1, 1);
            new Counters(server).allAccelerated(1, 1);
        }
        assertEquals(0, client.leave());
        assertEquals(0, server.leave());
        List<String> spans = new ArrayList<>();
        for (Program program : List.of(client, server)) {
            Matcher span = SPAN.matcher(program.log());
            while (span.find()) {
                spans.add(span.group(1) + ' ' + span.group(2) + ' ' + span.group(3) + ' ' + attributes(span.group(4)));
            }
        }
        return spans;
    }

    private Program start(Place place, JavaCommand command) throws IOException {
        List<String> options = new ArrayList<>(SPANS);
        if (!Sizes.FULL) {
            options.addAll(FEW);
        }
        if (place == Place.LAST) {
            options.addAll(stage.agent());
        }
        options.add(TELEMETRY);
        if (place == Place.FIRST) {
            options.addAll(stage.agent());
        }
        return stage.start(false, command.with(options.toArray(String[]::new)));
    }

    /** In an order, and without the numbers of ports and threads. */
    private static Set<String> attributes(String all) {
        return new TreeSet<>(Arrays.asList(
                all.replaceAll("(port|thread.id)=\\d+|:\\d+/", "$1").split(", ", -1)));
    }

    private static String port() {
        return Ports.free(1).getFirst().toString();
    }

    private static JavaCommand server(String port) {
        return JavaCommand.program("JdkServer", NONE, "port=" + port);
    }

    /**
     * The server on a class path without directories, on which PipeDevice's jar stands, too: a cache has only such
     * classes.
     */
    private JavaCommand packagedServer(String port) throws IOException {
        List<String> words = new ArrayList<>(server(port).words());
        Path jar = directory.resolve("programs.jar");
        List<String> create = new ArrayList<>(List.of("--create", "--file", jar.toString()));
        List<String> path = new ArrayList<>(
                List.of(jar.toString(), Stage.JAR.toAbsolutePath().toString()));
        for (String entry : words.get(1).split(File.pathSeparator, -1)) {
            if (entry.isEmpty()) {
                continue;
            }
            if (Files.isDirectory(Path.of(entry))) {
                create.addAll(List.of("-C", entry, "."));
            } else {
                path.add(entry);
            }
        }
        if (!Files.exists(jar)) {
            ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
            assertEquals(0, tool.run(System.out, System.err, create.toArray(String[]::new)));
        }
        words.set(1, String.join(File.pathSeparator, path));
        return new JavaCommand("JdkServer", words);
    }

    private static JavaCommand client(String port) {
        return JavaCommand.program("RepeatClient", NONE, "uri=http://127.0.0.1:" + port + "/echo");
    }

    private static void ask(Program server, Program client) throws IOException, InterruptedException {
        for (Program program : List.of(server, client)) {
            await().atMost(START).until(() -> program.log().contains("READY"));
            program.ready();
        }
        for (String line : LINES) {
            client.say(line);
            assertEquals(line, client.await("ANSWER"));
        }
    }

    /** By the rules in docs. */
    @Test
    void exportersReadAllCounters() throws IOException, InterruptedException {
        String address = "127.0.0.1:" + port();
        String port = port();
        List<String> options = new ArrayList<>(METRICS);
        options.add("-Dotel.jmx.config=" + rules("opentelemetry-jmx.yaml"));
        options.add(TELEMETRY);
        String exporter = "-javaagent:" + AGENTS.jar("jmx_prometheus_javaagent");
        options.add(exporter + '=' + address + ':' + rules("jmx-exporter.yaml"));
        Program server = stage.start(true, server(port).with(options.toArray(String[]::new)));
        Program client = stage.start(true, client(port));
        ask(server, client);
        new Counters(server).allAccelerated(1, 1);
        List<String> page =
                page(address).filter(line -> line.startsWith("pipedevice_")).toList();
        assertEquals(counters(), page.size(), page::toString);
        assertTrue(page.contains("pipedevice_jvm_connections_total{role=\"server\"} 1.0"), page::toString);
        await().untilAsserted(() -> {
            List<String> reported = metrics(server);
            assertEquals(counters(), reported.size(), reported::toString);
            assertTrue(
                    reported.contains("pipedevice.connection.count {pipedevice.role=\"server\"} 1"),
                    reported::toString);
            // The page was fetched by a program without PipeDevice.
            String kernel = "pipedevice.connection.kernel.count {pipedevice.reason=\"NOT_PIPEDEVICE_PEER\"} 1";
            assertTrue(reported.contains(kernel), reported::toString);
        });
        client.end();
        assertEquals(0, server.leave());
    }

    private static Path rules(String name) {
        return Path.of("..", "docs", name).toAbsolutePath().normalize();
    }

    /** How many numbers the MBean has: one by attribute, but for the connections on the kernel one by reason. */
    private static int counters() {
        return PipeDeviceMXBean.class.getMethods().length - 1 + KernelReason.values().length;
    }

    private static Stream<String> page(String address) throws IOException {
        try (InputStream page =
                URI.create("http://" + address + "/metrics").toURL().openStream()) {
            return new String(page.readAllBytes(), StandardCharsets.UTF_8).lines();
        }
    }

    /** The last value of each metric of PipeDevice with its attributes. */
    private static List<String> metrics(Program program) {
        Map<String, String> last = new TreeMap<>();
        for (Matcher metric = METRIC.matcher(program.log()); metric.find(); ) {
            for (Matcher point = POINT.matcher(metric.group(2)); point.find(); ) {
                last.put(metric.group(1) + ' ' + point.group(1), point.group(2));
            }
        }
        return last.entrySet().stream()
                .map(each -> each.getKey() + ' ' + each.getValue())
                .toList();
    }
}
