// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * Podman as root, with runc and netavark, and no registry: the base image is a runtime that jlink makes of this JDK,
 * with the host's C library, shell and cp. Removes what it made when it is closed.
 */
final class Podman implements AutoCloseable {
    private static final String ID =
            "pipedevice-test-" + ProcessHandle.current().pid();
    private static final String MODULES = "java.base,java.logging,java.management,java.instrument,jdk.unsupported,"
            + "jdk.management,jdk.attach,jdk.jfr,jdk.httpserver";

    private final Path directory;
    private final Deque<List<String>> undo = new ArrayDeque<>();

    Podman(Path directory) throws IOException {
        this.directory = directory;
        assumeTrue(ProcessFacts.effectiveUid() == 0, "containers with routable networks need root");
        for (String each : List.of("podman", "runc", "conmon", "nft")) {
            assumeTrue(
                    isInstalled(each),
                    each + " is missing: apt-get install podman runc netavark aardvark-dns"
                            + " conmon catatonit nftables");
        }
        String files = new String(
                        new ProcessBuilder("sh", "-c", "ulimit -Hn")
                                .start()
                                .getInputStream()
                                .readAllBytes(),
                        StandardCharsets.UTF_8)
                .strip();
        Files.writeString(directory.resolve("containers.conf"), """
                [containers]
                default_ulimits = ["nofile=%s:%s", "nproc=20000:20000"]
                [network]
                network_backend = "netavark"
                [engine]
                cgroup_manager = "cgroupfs"
                runtime = "runc"
                """.formatted(files, files));
    }

    static boolean isInstalled(String command) {
        return Stream.of("/usr/bin", "/usr/sbin", "/usr/local/bin", "/bin", "/sbin")
                .anyMatch(each -> Files.isExecutable(Path.of(each, command)));
    }

    /** A name that only this test has. */
    static String name(String suffix) {
        return ID + "-" + suffix;
    }

    private ProcessBuilder command(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .put("CONTAINERS_CONF", directory.resolve("containers.conf").toString());
        return builder;
    }

    /** Runs a command, which succeeds, and returns what it prints. */
    String run(String... words) throws IOException {
        Path output = Files.createTempFile(directory, "output", "");
        Process process = command(List.of(words))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int status = process.onExit().join().exitValue();
        String said = Files.readString(output);
        Files.delete(output);
        assertEquals(0, status, () -> String.join(" ", words) + ": " + said);
        return said.strip();
    }

    /** Runs {@code podman} with a command. */
    String podman(String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of("podman"));
        all.addAll(Arrays.asList(words));
        return run(all.toArray(new String[0]));
    }

    /** At the end, before what was said earlier. */
    void afterwards(String... words) {
        undo.add(List.of(words));
    }

    /** Makes the base image, and returns its name. */
    String base() throws IOException {
        Path root = directory.resolve("root");
        run(
                System.getProperty("java.home") + "/bin/jlink",
                "--add-modules",
                MODULES,
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--output",
                root.resolve("opt/java").toString());
        String name = "localhost/" + name("base");
        afterwards("podman", "rmi", "-f", name);
        run("sh", "-ec", """
                cd "$1"
                mkdir -p etc tmp run proc sys dev app test bin lib64
                chmod 1777 tmp
                chmod -R a+rX .
                cp -L /bin/cp /bin/sh bin
                for file in $(ldd bin/cp bin/sh opt/java/bin/java opt/java/lib/server/libjvm.so opt/java/lib/libnio.so \\
                    opt/java/lib/libinstrument.so | grep -oE '[[:space:]]/lib[^ ]*' | sort -u); do
                  mkdir -p ".$(dirname "$file")"
                  cp -L "$file" ".$file"
                done
                echo root:x:0:0:root:/root:/bin/sh >etc/passwd
                tar -c . | podman import -c 'ENV PATH=/opt/java/bin:/bin' - "$2"
                """, "sh", root.toString(), name);
        return name;
    }

    /** Builds one of the images of the samples. */
    String build(String name, String base, String file, Path context) throws IOException {
        afterwards("podman", "rmi", "-f", name);
        podman("build", "-q", "--build-arg", "BASE=" + base, "-t", name, "-f", file, context.toString());
        return name;
    }

    /** Starts a container in the foreground, whose input and output the caller has. */
    ChildJvm start(String name, List<String> flags, String image, List<String> command) throws IOException {
        List<String> all = new ArrayList<>(List.of("podman", "run", "-i", "--rm", "--name", name));
        afterwards("podman", "rm", "-f", "-i", "-t", "0", name);
        all.addAll(flags);
        all.add(image);
        all.addAll(command);
        return ChildJvm.of(command(all));
    }

    /** Its address on its only network. */
    String address(String name) throws IOException {
        return podman("inspect", name, "--format", "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}");
    }

    /** Removes a network or an image at the end that Podman makes by itself, unless it is there now. */
    void leaveAsFound(String kind, String name) throws IOException {
        String list = kind.equals("image") ? "{{.Repository}}" : "{{.Name}}";
        if (!podman(kind, "ls", "--format", list).contains(name)) {
            afterwards(
                    "sh",
                    "-c",
                    "podman " + kind + " ls --format '{{.ID}} " + list + "' | grep ' " + name
                            + "$' | cut -d ' ' -f 1 | xargs -r podman " + kind + " rm -f");
        }
    }

    /** Undoes everything after a mark. */
    void undo(int mark) throws IOException {
        while (undo.size() > mark) {
            List<String> words = undo.removeLast();
            command(words).redirectErrorStream(true).start().onExit().join();
        }
    }

    int mark() {
        return undo.size();
    }

    @Override
    public void close() throws IOException {
        undo(0);
    }
}
