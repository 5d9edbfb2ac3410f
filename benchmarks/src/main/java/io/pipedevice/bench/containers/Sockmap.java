// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import io.pipedevice.bench.net.Site;
import io.pipedevice.bench.net.UnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bridge between whose namespaces sockmap takes TCP past the network stack: the programs of sockmap.bpf.c, for the
 * connections of a control group to which server and clients belong.
 */
final class Sockmap implements Site {
    private static final String SOURCE = "sockmap.bpf.c";
    private static final String PACKAGES = "apt install clang libbpf-dev bpftool";

    /** Each call is a JVM of its own, whose control group's name has the number of that process. */
    private static final String GROUP = "pipedevice-bench-";

    /** $1 is the directory of everything. */
    private static final String COMPILE =
            "cd $1; clang -O2 -g -Wall -Werror -target bpf -I/usr/include/$(uname -m)-linux-gnu -c " + SOURCE;

    /** $2 is the name of the control group. The mounts are seen by this process's mount namespace alone. */
    private static final String LOAD = "cd $1; mkdir bpf groups; mount -t bpf none bpf; mount -t cgroup2 none groups;"
            + " for old in groups/" + GROUP + "*; do [ -d /proc/${old##*-} ] || rmdir $old 2>/dev/null || true; done;"
            + " mkdir groups/$2;"
            + " bpftool prog loadall sockmap.bpf.o bpf/programs pinmaps bpf/maps;"
            + " bpftool cgroup attach groups/$2 sock_ops pinned bpf/programs/remember;"
            + " bpftool prog attach pinned bpf/programs/redirect msg_verdict pinned bpf/maps/sockets";

    /** The programs and maps end with the control group and the mounts. */
    private static final String UNLOAD =
            "cd $1; rmdir groups/$2 2>/dev/null || true; umount -q groups || true; umount -q bpf || true";

    private static final Pattern VALUE = Pattern.compile("\"value\": ([0-9]+)");

    private final Bridge bridge;
    private final Path directory;
    private final String group;
    private long redirected;
    private long kept;

    private Sockmap(Bridge bridge, Path directory, String group) {
        this.bridge = bridge;
        this.directory = directory;
        this.group = group;
    }

    /**
     * Makes a bridge and loads the programs.
     *
     * @param directory an empty one for files
     * @throws UnavailableException if a package is missing, or the kernel does not permit it
     */
    static Sockmap make(Path directory) throws IOException, InterruptedException, UnavailableException {
        List<String> missing = new ArrayList<>();
        for (String program : List.of("clang", "bpftool")) {
            if (!Shell.has(program)) {
                missing.add(program);
            }
        }
        if (!Files.exists(Path.of("/usr/include/bpf/bpf_helpers.h"))) {
            missing.add("libbpf-dev");
        }
        if (!missing.isEmpty()) {
            throw new UnavailableException(
                    "not available: " + PACKAGES + " (missing: " + String.join(" ", missing) + ")");
        }
        Sockmap sockmap = new Sockmap(
                Bridge.make(false), directory, GROUP + ProcessHandle.current().pid());
        try {
            sockmap.load();
            return sockmap;
        } catch (IOException | InterruptedException | UnavailableException e) {
            sockmap.close();
            throw e;
        }
    }

    private void load() throws IOException, InterruptedException, UnavailableException {
        try (InputStream source = Sockmap.class.getResourceAsStream(SOURCE)) {
            Files.copy(source, directory.resolve(SOURCE));
        }
        for (String step : List.of(COMPILE, LOAD)) {
            try {
                Shell.run(step, directory.toString(), group);
            } catch (IOException e) {
                throw new UnavailableException("not available: " + e.getMessage());
            }
        }
    }

    @Override
    public List<String> atServer() {
        return inGroup(bridge.atServer());
    }

    @Override
    public List<String> atClient() {
        return inGroup(bridge.atClient());
    }

    private List<String> inGroup(List<String> place) {
        List<String> words = new ArrayList<>(place);
        String members = directory
                .resolve("groups")
                .resolve(group)
                .resolve("cgroup.procs")
                .toString();
        words.addAll(List.of("sh", "-ec", "echo $$ > $0; exec \"$@\"", members));
        return words;
    }

    @Override
    public String host() {
        return bridge.host();
    }

    @Override
    public String clientHost() {
        return bridge.clientHost();
    }

    @Override
    public String hosts() {
        return bridge.hosts();
    }

    /** Checks that all data since the last check went past the network stack. */
    @Override
    public void check() throws IOException {
        long nowRedirected = messages(0);
        long nowKept = messages(1);
        long added = nowRedirected - redirected;
        long addedKept = nowKept - kept;
        redirected = nowRedirected;
        kept = nowKept;
        if (added == 0 || addedKept > 0) {
            throw new IOException(added + " messages went past the network stack, " + addedKept + " did not");
        }
    }

    /** The number of messages of one kind, the sum of all processors. */
    private long messages(int kind) throws IOException {
        try {
            String text = Shell.run(
                    "bpftool map lookup pinned $1/bpf/maps/messages key $2 0 0 0", directory.toString(), "" + kind);
            long sum = 0;
            for (Matcher value = VALUE.matcher(text); value.find(); ) {
                sum += Long.parseLong(value.group(1));
            }
            return sum;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        bridge.close();
        try {
            Shell.run(UNLOAD, directory.toString(), group);
        } catch (IOException e) {
            System.getLogger(Sockmap.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "cannot remove the control group {0}: {1}",
                            group,
                            e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
