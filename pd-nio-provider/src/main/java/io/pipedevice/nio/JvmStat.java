// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The counters that a JVM publishes, as another process sees them at one moment. Immutable.
 *
 * @param pid the JVM, as this process sees it
 * @param ownPid the JVM, as it sees itself; differs from {@code pid} in a container
 * @param program its main class or jar
 * @param start when it began to use PipeDevice
 * @param client accelerated connections that it opened
 * @param accepted accelerated connections that it accepted
 * @param open accelerated connections that are open
 * @param violated accelerated connections that were reset because their peers broke the protocol
 * @param bytesSent on accelerated connections
 * @param bytesReceived on accelerated connections
 * @param onKernel connections on kernel TCP by their reasons, without those that did not happen
 */
public record JvmStat(
        int pid,
        long ownPid,
        String program,
        Instant start,
        long client,
        long accepted,
        long open,
        long violated,
        long bytesSent,
        long bytesReceived,
        Map<String, Long> onKernel) {
    private static final String LINK = "/memfd:" + StatPageDescriptor.NAME + " (deleted)";

    /**
     * Looks at all JVMs that this process may look at: those of the same user, for the superuser all.
     *
     * @return by process number; a page that is not what it should be is left out
     * @throws IOException if there is no /proc
     */
    public static List<JvmStat> all() throws IOException {
        List<Integer> processes = new ArrayList<>();
        try (DirectoryStream<Path> proc = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            proc.forEach(directory ->
                    processes.add(Integer.valueOf(directory.getFileName().toString())));
        }
        processes.sort(null);
        List<JvmStat> found = new ArrayList<>();
        for (int pid : processes) {
            JvmStat stat = of(pid);
            if (stat != null) {
                found.add(stat);
            }
        }
        return found;
    }

    /** A process's counters; null if it publishes none, may not be looked at, or has ended. */
    static JvmStat of(int pid) {
        Path directory = Path.of("/proc", Integer.toString(pid), "fd");
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(directory)) {
            for (Path descriptor : descriptors) {
                if (isPage(descriptor)) {
                    return read(pid, descriptor);
                }
            }
        } catch (IOException | RuntimeException e) {
            // Another user's, or ended meanwhile: neither is news.
            return null;
        }
        return null;
    }

    private static boolean isPage(Path descriptor) {
        try {
            // The link could name a pipe, whose opening would block.
            return Files.readSymbolicLink(descriptor).toString().equals(LINK) && Files.isRegularFile(descriptor);
        } catch (IOException e) {
            return false;
        }
    }

    /** Takes a copy, so that every word is read once, and what its owner does to the file later does not matter. */
    private static JvmStat read(int pid, Path page) throws IOException {
        ByteBuffer copy = ByteBuffer.allocate(StatPageDescriptor.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel file = FileChannel.open(page)) {
            int got;
            do {
                got = file.read(copy, copy.position());
            } while (got > 0 && copy.hasRemaining());
        }
        return copy.hasRemaining() ? null : parse(pid, copy);
    }

    /** What a page says; null if no honest JVM writes that. */
    static JvmStat parse(int pid, ByteBuffer page) {
        long nameLength = page.getLong(StatPageDescriptor.NAME_LENGTH_OFFSET);
        if (page.getLong(StatPageDescriptor.MAGIC_OFFSET) != StatPageDescriptor.MAGIC
                || page.getLong(StatPageDescriptor.VERSION_OFFSET) != StatPageDescriptor.VERSION
                || nameLength < 0
                || nameLength > StatPageDescriptor.MAX_NAME) {
            return null;
        }
        byte[] name = new byte[(int) nameLength];
        page.get(StatPageDescriptor.NAME_OFFSET, name);
        long client = counter(page, StatPageDescriptor.CLIENT_OFFSET);
        long accepted = counter(page, StatPageDescriptor.ACCEPTED_OFFSET);
        long ended = counter(page, StatPageDescriptor.ENDED_OFFSET);
        return new JvmStat(
                pid,
                counter(page, StatPageDescriptor.PID_OFFSET),
                printable(new String(name, StandardCharsets.UTF_8)),
                Instant.ofEpochMilli(counter(page, StatPageDescriptor.START_OFFSET)),
                client,
                accepted,
                Math.max(0, client + accepted - ended),
                counter(page, StatPageDescriptor.VIOLATED_OFFSET),
                sum(page, StatPageDescriptor.sentOffset(0), StatPageDescriptor.sentOffset(1)),
                sum(page, StatPageDescriptor.receivedOffset(0), StatPageDescriptor.receivedOffset(1)),
                reasons(page));
    }

    /** What only grows is never negative; in print, nothing is better than nonsense. */
    private static long counter(ByteBuffer page, int offset) {
        return Math.max(0, page.getLong(offset));
    }

    private static long sum(ByteBuffer page, int first, int second) {
        long sum = 0;
        for (int part = 0; part < StatPageDescriptor.PARTS; part++) {
            sum += counter(page, first + part * (second - first));
        }
        return Math.max(0, sum);
    }

    private static Map<String, Long> reasons(ByteBuffer page) {
        Map<String, Long> reasons = new LinkedHashMap<>();
        for (int reason = 0; reason < StatPageDescriptor.REASONS; reason++) {
            long count = counter(page, StatPageDescriptor.reasonOffset(reason));
            if (count != 0) {
                reasons.put(KernelReason.text(reason), count);
            }
        }
        return reasons;
    }

    /** The name is the other process's to choose, and must not speak to the terminal. */
    private static String printable(String name) {
        return name.replaceAll("\\P{Print}", "?");
    }
}
