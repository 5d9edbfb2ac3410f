// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.memory.RingBudget;
import io.pipedevice.peer.wait.Dispatcher;
import io.pipedevice.peer.wait.WaitProbe;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Counts the resources of links in this process: kernel objects with a descriptor, and mappings. */
public final class Leaks {
    private static final int SETTLED_LOOKS = 5;

    static {
        // Open the resources that stay: the watching thread's epoll set, and the dispatcher's bell.
        try (EventFd event = EventFd.open()) {
            FdWatch.open(event.fd(), Epoll.IN, events -> {}).close();
            Dispatcher.bell();
            Dispatcher.bell();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final int before = descriptors();
    private final Map<String, Integer> kinds = kinds();
    private final long bytes = RingBudget.process().used();

    public void awaitNone() {
        await().untilAsserted(() -> {
            int now = descriptors();
            // The count before may include descriptors of an earlier test that another thread closed later.
            assertTrue(
                    now <= before,
                    () -> "descriptors: " + before + " before, now " + now + "; " + kinds + " before, now " + kinds());
            assertEquals(0, mappings(), "mappings");
            assertTrue(
                    RingBudget.process().used() <= bytes,
                    () -> RingBudget.process().used() + " bytes of rings");
        });
    }

    /**
     * The descriptors without those of idle bells: these are kept, and their number depends on how many were in use at
     * once.
     */
    public static int descriptors() {
        int count = -2 * WaitProbe.idleBells();
        for (String name : new File("/proc/self/fd").list()) {
            String target = target(name);
            count += target.contains("memfd:") || target.startsWith("socket:") || target.startsWith("anon_inode:")
                    ? 1
                    : 0;
        }
        return count;
    }

    /**
     * As {@link #descriptors}, once the number has stayed the same for some looks: threads may still close descriptors
     * of an earlier test.
     */
    public static int settledDescriptors() {
        int[] last = {-1, 0};
        await().pollInterval(Duration.ofMillis(2)).until(() -> {
            int now = descriptors();
            last[1] = now == last[0] ? last[1] + 1 : 0;
            last[0] = now;
            return last[1] == SETTLED_LOOKS;
        });
        return last[0];
    }

    public static long mappings() throws IOException {
        return ProcessFacts.maps(0).stream()
                .filter(entry -> entry.path().startsWith("/memfd:pd-link")
                        || entry.path().startsWith("/memfd:pd-ring"))
                .count();
    }

    /** The resident memory of this process's mappings of memory files with a name, in KB. */
    public static long resident(String name) throws IOException {
        boolean inside = false;
        long sum = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                inside = line.contains("/memfd:" + name);
            } else if (inside && line.startsWith("Rss:")) {
                sum += Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return sum;
    }

    /**
     * Makes the JDK open the descriptors with which virtual threads wait, which it keeps: only a thread that parks does
     * so.
     */
    public static void waitAsAVirtualThread() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            FutureTask<Socket> waiting = Asleep.startVirtual(server::accept);
            new Socket(server.getInetAddress(), server.getLocalPort()).close();
            waiting.get().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    /** All descriptors by their kinds, and the idle bells. */
    private static Map<String, Integer> kinds() {
        Map<String, Integer> kinds = new TreeMap<>();
        kinds.put("idle bells", WaitProbe.idleBells());
        for (String name : new File("/proc/self/fd").list()) {
            kinds.merge(target(name).replaceAll("[0-9]{4,}", "N"), 1, Integer::sum);
        }
        kinds.keySet().removeIf(kind -> kind.endsWith(".jar"));
        return kinds;
    }

    private static String target(String name) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd", name)).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
