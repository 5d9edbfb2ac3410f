// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A platform thread that is in a network namespace of its own, while the other threads of this JVM stay where they are.
 * A socket stays in the namespace of the thread that opened it. The namespace ends with the thread and its sockets,
 * with the JVM at the latest. Thread safe.
 */
public final class NamespaceThread {
    private static final CFunction UNSHARE = CFunction.of("unshare");
    private static final int CLONE_NEWNET = 0x40000000;

    private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private final Path path;

    /**
     * Starts the thread, a daemon, and gives its namespace a loopback device.
     *
     * @throws IOException if this user may not make a namespace
     */
    public NamespaceThread(String name) throws IOException {
        Thread thread = new Thread(this::serve, name);
        thread.setDaemon(true);
        thread.start();
        path = call(() -> {
            int result = UNSHARE.toInt(CLONE_NEWNET, 0, 0, 0);
            if (result < 0) {
                throw new LinuxException("unshare", -result);
            }
            return Path.of("/proc/thread-self").toRealPath();
        });
        run("ip link set lo up");
    }

    private void serve() {
        try {
            while (true) {
                work.take().run();
            }
        } catch (InterruptedException e) {
            throw new AssertionError("no thread can interrupt this one", e);
        }
    }

    /** Does something on the thread, and waits for it. */
    public <T> T call(Callable<T> body) throws IOException {
        CompletableFuture<T> result = new CompletableFuture<>();
        work.add(() -> {
            try {
                result.complete(body.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            if (e.getCause() instanceof IOException failed) {
                throw failed;
            }
            throw new IOException(e.getCause());
        }
    }

    /** Runs shell commands in the namespace, and returns their output. */
    public String run(String commands) throws IOException {
        Process shell = new ProcessBuilder("nsenter", "--net=" + file(), "sh", "-e", "-c", commands)
                .redirectErrorStream(true)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (shell.onExit().join().exitValue() != 0) {
            throw new IOException(commands + ": " + output);
        }
        return output;
    }

    /** The number of the thread, by which ip(8) finds the namespace. */
    public String number() {
        return path.getFileName().toString();
    }

    /** The file of the namespace, by which nsenter(1) finds it. */
    public Path file() {
        return path.resolve("ns/net");
    }
}
