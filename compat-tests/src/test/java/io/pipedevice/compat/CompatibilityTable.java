// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** The table in docs/compatibility.md. Each test writes a row when its programs have measured themselves. */
final class CompatibilityTable {
    private static final Path FILE = Path.of("..", "docs", "compatibility.md");

    private static final String HEADER = """
            # Compatibility

            Unmodified programs on PipeDevice, each in JVMs of its own that were started with `-javaagent:pipedevice-agent.jar` and a small heap.
            `mvn -B verify -Pcompat` runs all of them and writes this file.

            The tests verify the content of all messages, in all four combinations of a server and a client with and without PipeDevice.
            There are only two combinations with Lettuce, whose server is no JVM (a client with and without), with Spark's cluster
            (executors with, a driver with and without), and where a member of a cluster, a broker or a client is killed (all with, all
            without). In Flink's cluster the job manager and one of two task managers are the server, the other task manager and the
            program that submits jobs are the client. Cassandra sets a security manager, which JDK 24 and later do not allow, so its
            server runs on JDK 21; on JDK 17, where PipeDevice stays off, it is tested too. A cluster of Kafka also changes over to
            PipeDevice and back, broker by broker, while clients use it. In the tests PipeDevice has one option,
            `-Dpipedevice.handshake.millis=10000`: all JVMs start at once on two processors, and a slow start must not look like a
            missing peer. The measurements use no option of PipeDevice.

            The columns:

            - *what was run*: by the tests. What is measured is one kind of operation of it, one after the other or in a stream.
            - *accelerated*: the share of the connections between two JVMs of this host with PipeDevice that used rings, as these JVMs
              counted them during the measurement. A row is written only if all of them did; `-` means that there were none. In the tests
              all of them used rings too, except for a few while killed members restart.
            - *rate*, *p99*: the program's own figures after its warm-up, medians of three runs that alternate with runs on kernel TCP, on a
              machine that does other work too: a difference of a tenth means nothing. 99 of 100 operations took at most the *p99*; if a
              program has done fewer than a thousand operations in 30 seconds, the column has the longest of them.
            - *measured*: the day (UTC), and the congestion control of kernel TCP; BBR would pace even the loopback.

            How much a program gains depends on its own work: one that takes 50 µs for each message cannot become much faster by a
            connection that saves 10.

            Programs that ask Netty for a native transport are told that there is none, and use `java.nio`
            ([doctor.md](doctor.md#programs-that-bypass-javanio)). The figures of before 2026-11-30 were measured with a switch of the program.

            """;

    private static final Path CONGESTION_CONTROL = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

    private static final List<String> HEAD = List.of(
            "| program | version | what was run | accelerated | rate, PipeDevice | rate, TCP | p99, PipeDevice | p99, TCP | measured | what does not work |",
            "|---|---|---|---|---|---|---|---|---|---|");

    private CompatibilityTable() {}

    /**
     * The content of a row besides its figures.
     *
     * @param program names the row
     * @param version of the program
     * @param run a description of its test
     * @param unit of its rate
     * @param failing what does not work, or is not accelerated, and why
     */
    record Row(String program, String version, String run, String unit, String failing) {}

    static void write(Row row, String share, double rate, double tcpRate, Delay p99, Delay tcpP99) throws IOException {
        TreeMap<String, String> rows = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        if (Files.exists(FILE)) {
            Files.readAllLines(FILE).stream()
                    .filter(line -> line.startsWith("| ") && !HEAD.contains(line))
                    .forEach(line -> rows.put(line.split(" \\| ", 2)[0].substring(2), line));
        }
        rows.put(
                row.program(),
                String.join(
                        " | ",
                        "| " + row.program(),
                        row.version(),
                        row.run(),
                        share,
                        rate(rate, row.unit()),
                        rate(tcpRate, row.unit()),
                        p99.toString(),
                        tcpP99.toString(),
                        LocalDate.now(ZoneOffset.UTC) + ", "
                                + Files.readString(CONGESTION_CONTROL).strip(),
                        row.failing() + " |"));
        Files.writeString(FILE, HEADER + String.join("\n", HEAD) + "\n" + String.join("\n", rows.values()) + "\n");
    }

    private static String rate(double rate, String unit) {
        return String.format(Locale.ROOT, "%,.0f %s", rate, unit);
    }
}
