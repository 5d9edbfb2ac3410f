// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.tool.PipeDeviceCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * A network namespace for one run of this program: its loopback is not shared, and the congestion control of its TCP is
 * known. unshare(1) makes the namespace without a name, so it disappears with the last process in it, however that
 * process ends.
 */
public final class NetworkNamespace {
    /** Marks the inner process; its standard input ends with the outer process. */
    private static final String INSIDE = "PIPEDEVICE_BENCH_INSIDE";

    private static final long END_TIMEOUT_S = 15;

    private static final Path CONGESTION_CONTROL = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

    /** The usual default, and the one that every kernel allows in every namespace. */
    private static final String[] WANTED = {"cubic", "reno"};

    private NetworkNamespace() {}

    /**
     * Whether this process was started by {@link #run}.
     *
     * @return whether it is the inner one
     */
    public static boolean isInside() {
        return System.getenv(INSIDE) != null;
    }

    /**
     * Runs the same command in a namespace of its own.
     *
     * @param args of the command line, all of them
     * @return its exit code; empty if such a namespace cannot be created here
     * @throws IOException if it cannot be started
     * @throws InterruptedException if this thread is interrupted
     */
    public static OptionalInt run(List<String> args) throws IOException, InterruptedException {
        return run(args, List.of());
    }

    /**
     * Runs the same command in a namespace of its own, and in further namespaces.
     *
     * @param args of the command line, all of them
     * @param further options of unshare(1)
     * @return its exit code; empty if such namespaces cannot be created here
     * @throws IOException if it cannot be started
     * @throws InterruptedException if this thread is interrupted
     */
    public static OptionalInt run(List<String> args, List<String> further) throws IOException, InterruptedException {
        List<String> unshare = unshare(further);
        if (unshare.isEmpty()) {
            return OptionalInt.empty();
        }
        List<String> command = new ArrayList<>(unshare);
        command.addAll(List.of("sh", "-c", "ip link set lo up && exec \"$@\"", "sh"));
        command.addAll(WorkerProcess.java(PipeDeviceCommand.class.getName()));
        command.addAll(args);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put(INSIDE, "1");
        Process process = builder.start();
        Thread takesItAlong = new Thread(() -> end(process), "bench-namespace-end");
        Runtime.getRuntime().addShutdownHook(takesItAlong);
        int exit = process.waitFor();
        try {
            Runtime.getRuntime().removeShutdownHook(takesItAlong);
        } catch (IllegalStateException e) {
            // This process is ending as well.
            return OptionalInt.of(exit);
        }
        return OptionalInt.of(exit);
    }

    /**
     * Makes this process end only after the inner one's clean-up, so that its parent finds no resources left behind.
     */
    private static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** The command that creates a namespace: as root, or else in a user namespace, if that is allowed. */
    private static List<String> unshare(List<String> further) throws InterruptedException {
        List<String> plain = List.of("unshare", "--net");
        List<String> asRoot = List.of("unshare", "--net", "--map-root-user");
        for (List<String> first : ProcessFacts.effectiveUid() == 0 ? List.of(plain, asRoot) : List.of(asRoot)) {
            List<String> candidate = new ArrayList<>(first);
            candidate.addAll(further);
            List<String> trial = new ArrayList<>(candidate);
            trial.addAll(List.of("ip", "link", "set", "lo", "up"));
            try {
                Process process = new ProcessBuilder(trial)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0) {
                    return candidate;
                }
                process.destroyForcibly();
            } catch (IOException e) {
                // There is no unshare(1) here; the caller reports that.
                return List.of();
            }
        }
        return List.of();
    }

    /** Called in the inner process: sets the congestion control, and makes this process end when the outer one ends. */
    public static void enter() {
        for (int i = 0; i < WANTED.length && !setCongestionControl(WANTED[i]); i++) {
            // Try the next one.
        }
        Thread watcher = new Thread(NetworkNamespace::awaitEndOfOuter, "bench-outer");
        watcher.setDaemon(true);
        watcher.start();
    }

    /**
     * Sets the congestion control; false if the kernel does not allow it outside the first namespace. The report names
     * the congestion control in use.
     */
    private static boolean setCongestionControl(String name) {
        try {
            Files.writeString(CONGESTION_CONTROL, name, StandardCharsets.US_ASCII);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void awaitEndOfOuter() {
        try {
            while (System.in.read() >= 0) {
                // The outer process never writes data.
            }
        } catch (IOException e) {
            System.exit(1);
        }
        System.exit(1);
    }
}
