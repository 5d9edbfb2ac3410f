// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/**
 * A libcuda for machines without a GPU: builds src/test/c/cuda with the system's C compiler, once in a JVM, plans its
 * faults, and reads its counters. What the library does is in its sources. Without a compiler the test is aborted.
 *
 * <p>All loads of {@link #library()} in one JVM share one state, whatever the {@link Arena}; {@link #reset()} forgets
 * the planned faults. Thread safe.
 */
public final class TestCuda {
    private static final String SOURCES = "src/test/c/cuda";
    private static final List<String> COMPILER = List.of(
            "cc",
            "-shared",
            "-fPIC",
            "-fvisibility=hidden",
            "-O2",
            "-pthread",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-std=gnu11");

    /** What goes wrong, by the library's numbers; each has an argument. */
    public enum Fault {
        /** As many launches hang: they do not look at the control word and end with their context. */
        HANG_LAUNCHES(0),
        /** Kernels copy as many commands from now on, and then go on without copying; -1 is no fault. */
        STALL_AFTER(1),
        /** The context is lost instead of the n-th command from now on, with error 719. */
        LOSE_AT_COMMAND(2),
        /** The context is lost at the n-th call from now on, with error 719. */
        LOSE_AT_CALL(3),
        /** Completions of kernels come as many milliseconds after the copies. */
        LATE_MILLIS(4),
        /** The n-th registration from now on and all later ones fail with error 2; 0 is no fault. */
        FAIL_REGISTRATION(5),
        /** The number of devices. */
        DEVICES(6),
        /** What cuDriverGetVersion answers, such as 12080. */
        DRIVER_VERSION(7),
        /** What cuCtxCreate_v2 answers from now on; 0 is no fault. */
        FAIL_CONTEXT(8),
        /** As many more copies than were made are reported as complete. */
        EXTRA_COMPLETIONS(9),
        /** Kernels that are launched from now on end only if the host wants it; 0 is no fault. */
        ENDLESS(10);

        private final int number;

        Fault(int number) {
            this.number = number;
        }
    }

    /** What the library counts, by its numbers. */
    public enum Counter {
        /** Contexts that exist. */
        CONTEXTS(0),
        /** Streams that exist. */
        STREAMS(1),
        /** Events that exist. */
        EVENTS(2),
        /** Modules that are loaded. */
        MODULES(3),
        /** Ranges of the host's memory that are registered. */
        REGISTRATIONS(4),
        /** Bytes of device memory that are allocated. */
        DEVICE_MEMORY(5),
        /** Kernels that run. */
        KERNELS(6),
        /** Calls that a real driver may crash at, since the start or the last reset: a handle is none any more. */
        MISUSES(7),
        /** Calls since then that waited for a kernel, or ended its context before it was told to end. */
        WAITS(8),
        /** Launches since then. */
        LAUNCHES(9),
        /** Bytes copied since then. */
        BYTES_COPIED(10);

        private final int number;

        Counter(int number) {
            this.number = number;
        }
    }

    /** Guarded by the class, as the next one is. No initialiser makes them, because the compiler may be missing. */
    private static Path library;

    private static TestCuda shared;

    private final CudaCalls calls;

    private TestCuda(CudaCalls calls) {
        this.calls = calls;
    }

    /** The shared library, which is built when first asked for, and exists until the JVM ends. */
    public static synchronized Path library() {
        if (library == null) {
            library = build();
        }
        return library;
    }

    /** The switches of {@link #library()}. */
    public static synchronized TestCuda shared() {
        if (shared == null) {
            shared = of(library(), Arena.global());
        }
        return shared;
    }

    /** The switches of a copy of the library, which has a state of its own. */
    @SuppressWarnings("restricted")
    static TestCuda of(Path library, Arena arena) {
        return new TestCuda(new CudaCalls(SymbolLookup.libraryLookup(library, arena)));
    }

    /** Plans a fault. */
    public void plan(Fault fault, long argument) {
        calls.run("test_cuda_fault", fault.number, argument);
    }

    /** Lets an attribute of all devices have another value. */
    void attribute(int attribute, int value) {
        calls.run("test_cuda_attribute", attribute, value);
    }

    /** Plans no fault, gives all attributes their own values, and begins to count launches and bytes afresh. */
    public void reset() {
        calls.run("test_cuda_reset");
    }

    /** Reads a counter. */
    public long count(Counter counter) {
        return calls.getLong("test_cuda_count", counter.number);
    }

    /** The library's functions, by name. */
    CudaCalls calls() {
        return calls;
    }

    private static Path build() {
        try {
            Path dir = Files.createTempDirectory("pipedevice-cuda");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(dir), "remove " + dir));
            Path library = dir.resolve("libcuda-test.so");
            compile(library);
            return library;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void compile(Path library) throws IOException {
        List<String> command = new ArrayList<>(COMPILER);
        command.addAll(List.of("-o", library.toString()));
        try (Stream<Path> files = Files.list(sources())) {
            files.map(Path::toString)
                    .filter(name -> name.endsWith(".c"))
                    .sorted()
                    .forEach(command::add);
        }
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new TestAbortedException("there is no C compiler", e);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new AssertionError(output);
        }
    }

    /** The sources of this module, also for a test of another one that has this class. */
    private static Path sources() throws IOException {
        try {
            Path dir = Path.of(TestCuda.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            while (dir != null && !Files.isDirectory(dir.resolve(SOURCES))) {
                dir = dir.getParent();
            }
            if (dir == null) {
                throw new IOException("there is no " + SOURCES);
            }
            return dir.resolve(SOURCES);
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static void delete(Path dir) {
        try (Stream<Path> files = Files.list(dir)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(dir);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
