// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import io.pipedevice.driver.account.AccountFile;
import io.pipedevice.driver.account.Statement;
import io.pipedevice.driver.account.Tally;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints the accounts of a driver's containers, from the file in which the driver keeps them. */
@Command(
        name = "accounts",
        description = "Print what each container has used of a driver.",
        footer = {
            "",
            "The totals go on when the driver is started again. Those that are 0 are left out,",
            "except with --all, --csv and --json. The driver writes them down once a second, and",
            "every ten seconds while no data move."
        })
final class AccountsCommand implements Callable<Integer> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    @Spec
    private CommandSpec spec;

    @Option(names = "--dir", required = true, paramLabel = "DIR", description = "The directory of the driver.")
    private Path directory;

    @ArgGroup
    private Format format = new Format();

    private static final class Format {
        @Option(names = "--csv", description = "Print a table of comma-separated values.")
        private boolean csv;

        @Option(names = "--json", description = "Print an array of JSON.")
        private boolean json;
    }

    @Option(names = "--all", description = "Print totals that are 0, too.")
    private boolean all;

    @Option(names = "--watch", description = "Repeat the report, with the change per second.")
    private boolean watch;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "Time between two reports, 1 to 3600 (default: ${DEFAULT-VALUE}).")
    private int intervalSeconds;

    @Option(names = "--count", paramLabel = "N", description = "With --watch: stop after N reports.")
    private long count = Long.MAX_VALUE;

    private final Map<String, Long> before = new HashMap<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (intervalSeconds < 1 || intervalSeconds > 3600) {
            throw new ParameterException(
                    spec.commandLine(), "--interval must be from 1 to 3600 seconds: " + intervalSeconds);
        }
        print(read());
        for (long i = 1; watch && i < count && !spec.commandLine().getOut().checkError(); i++) {
            TimeUnit.SECONDS.sleep(intervalSeconds);
            print(read());
        }
        return CommandLine.ExitCode.OK;
    }

    private AccountFile read() throws IOException {
        Path file = directory.resolve(AccountFile.NAME);
        try {
            return AccountFile.read(file);
        } catch (NoSuchFileException e) {
            throw new IOException("no driver has kept accounts in " + directory, e);
        } catch (AccessDeniedException e) {
            throw new IOException("the accounts in " + directory + " may be read by the driver's user and root", e);
        } catch (IOException e) {
            throw new IOException("the accounts in " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    private void print(AccountFile accounts) {
        PrintWriter out = spec.commandLine().getOut();
        if (format.json) {
            out.println(accounts.statements().stream()
                    .map(AccountFile::json)
                    .collect(Collectors.joining(",\n ", "[", "]")));
        } else if (format.csv) {
            printTable(out, accounts);
        } else {
            printText(out, accounts);
        }
        out.flush();
    }

    private static void printTable(PrintWriter out, AccountFile accounts) {
        out.println("container,pod,since,last,processes,open,"
                + Stream.of(Tally.values()).map(Tally::key).collect(Collectors.joining(",")));
        for (Statement each : accounts.statements()) {
            out.println(quoted(each.container()) + "," + quoted(each.pod()) + "," + each.since() + "," + each.last()
                    + "," + each.processes() + "," + each.open() + ","
                    + each.totals().values().stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    private void printText(PrintWriter out, AccountFile accounts) {
        out.println("accounts at " + TIME.format(Instant.ofEpochSecond(accounts.written())));
        for (Statement each : accounts.statements()) {
            String pod = each.pod().isEmpty() ? "" : ", pod " + each.pod();
            out.println(each.container() + pod + ", since " + TIME.format(Instant.ofEpochSecond(each.since())));
            print(out, each.container(), "processes", each.processes(), false);
            print(out, each.container(), "connections open through the device", each.open(), false);
            each.totals().forEach((tally, total) -> print(out, each.container(), tally.label(), total, true));
        }
        if (watch) {
            out.println();
        }
    }

    /** Prints a number, unless it is and was 0. */
    private void print(PrintWriter out, String owner, String label, long value, boolean isTotal) {
        String key = owner + " " + label;
        if (value == 0 && !all && !before.containsKey(key)) {
            return;
        }
        Long last = before.put(key, value);
        String change = last == null ? "" : String.format(Locale.ROOT, "%20s", "");
        if (last != null && isTotal) {
            change = String.format(Locale.ROOT, "%,+18d/s", (value - last) / intervalSeconds);
        }
        out.printf(Locale.ROOT, "%,20d%s  %s%n", value, change, label);
    }
}
