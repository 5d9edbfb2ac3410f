// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
 * @param device accelerated connections, opened and accepted, that went through a driver's device; the others are
 *     direct
 * @param violated accelerated connections that were reset because their peers broke the protocol
 * @param strangers clients of other users that were refused
 * @param closing descriptors of peers that are being closed
 * @param mapped mappings of peers' memory
 * @param ringsRefused larger rings of peers that were refused
 * @param ringBytes bytes of its own rings
 * @param ringBudget how many it may have
 * @param growthsRefused how often a ring of its own did not grow, or was not to be had, because of that
 * @param writesCut writes of non-blocking channels on rings that took only part of their bytes
 * @param writesWaited writes on rings that waited for room
 * @param bytesSent on accelerated connections
 * @param bytesReceived on accelerated connections
 * @param onKernel connections on kernel TCP by reason, without reasons that have not occurred
 * @param kernelEnds the other ends of those connections, the first ones
 * @param whyOff why PipeDevice does not work in this JVM; empty if it does
 * @param switched classes of Netty that were made to tell the program that their transports are unavailable
 */
public record JvmStat(
        int pid,
        long ownPid,
        String program,
        Instant start,
        long client,
        long accepted,
        long open,
        long device,
        long violated,
        long strangers,
        long closing,
        long mapped,
        long ringsRefused,
        long ringBytes,
        long ringBudget,
        long growthsRefused,
        long writesCut,
        long writesWaited,
        long bytesSent,
        long bytesReceived,
        Map<String, Long> onKernel,
        List<KernelEnd> kernelEnds,
        String whyOff,
        List<String> switched) {
    /** The largest number of {@link #kernelEnds}; if there are so many, there may have been more. */
    public static final int MOST_KERNEL_ENDS = StatPageDescriptor.ENDS;

    /**
     * Accelerated connections whose processes read each other's rings.
     *
     * @return those that it opened and accepted
     */
    public long direct() {
        return Math.max(0, client + accepted - device);
    }

    /**
     * Reads the counters of all JVMs that this process may inspect: those of the same user, for the superuser all.
     *
     * @return sorted by process number; an invalid page is left out
     * @throws IOException if there is no /proc
     */
    public static List<JvmStat> all() throws IOException {
        return processes().stream().map(JvmStat::of).filter(Objects::nonNull).toList();
    }

    /**
     * Returns the JVMs that this process may inspect and that have another version of PipeDevice, whose pages this one
     * cannot read.
     *
     * @return process numbers, ascending
     * @throws IOException if there is no /proc
     */
    public static List<Integer> ofOtherVersions() throws IOException {
        return processes().stream().filter(JvmStat::isOfAnotherVersion).toList();
    }

    private static List<Integer> processes() throws IOException {
        List<Integer> processes = new ArrayList<>();
        try (DirectoryStream<Path> proc = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            proc.forEach(directory ->
                    processes.add(Integer.valueOf(directory.getFileName().toString())));
        }
        processes.sort(null);
        return processes;
    }

    /**
     * Reads the counters of one JVM.
     *
     * @param pid a process, as this one sees it
     * @return null if it publishes no counters, may not be inspected, or has ended
     */
    public static JvmStat of(int pid) {
        ByteBuffer page = StatPages.copyOf(pid);
        return page == null ? null : parse(pid, page);
    }

    /**
     * Reads a copy of a page.
     *
     * @param pid the process that it belongs to
     * @param copy a file
     * @return null if it is invalid, or there is no such file
     */
    public static JvmStat of(int pid, Path copy) {
        try {
            return parse(pid, StatPages.read(copy));
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * Whether a JVM has another version of PipeDevice, so that this one cannot read its page.
     *
     * @param pid a process, as this one sees it
     * @return false if it is this version, or the process has no page, may not be inspected, or has ended
     */
    public static boolean isOfAnotherVersion(int pid) {
        ByteBuffer page = StatPages.copyOf(pid);
        return page != null && isOfAnotherVersion(page);
    }

    /**
     * Whether a copy of a page belongs to another version of PipeDevice, so that this one cannot read it.
     *
     * @param copy a file
     * @return false if it is this version's, or there is no such file
     */
    public static boolean isOfAnotherVersion(Path copy) {
        try {
            return isOfAnotherVersion(StatPages.read(copy));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Whether a page belongs to another version. Each version has the magic number and the version at the same place.
     */
    static boolean isOfAnotherVersion(ByteBuffer page) {
        return page.limit() >= StatPageDescriptor.PID_OFFSET
                && page.getLong(StatPageDescriptor.MAGIC_OFFSET) == StatPageDescriptor.MAGIC
                && page.getLong(StatPageDescriptor.VERSION_OFFSET) != StatPageDescriptor.VERSION;
    }

    /** The counters in a page; null if no honest JVM writes such a page. */
    static JvmStat parse(int pid, ByteBuffer page) {
        if (page.limit() < StatPageDescriptor.LENGTH) {
            return null;
        }
        long nameLength = page.getLong(StatPageDescriptor.NAME_LENGTH_OFFSET);
        long whyLength = page.getLong(StatPageDescriptor.WHY_OFF_LENGTH_OFFSET);
        long switchedLength = page.getLong(StatPageDescriptor.SWITCHED_LENGTH_OFFSET);
        if (page.getLong(StatPageDescriptor.MAGIC_OFFSET) != StatPageDescriptor.MAGIC
                || page.getLong(StatPageDescriptor.VERSION_OFFSET) != StatPageDescriptor.VERSION
                || nameLength < 0
                || nameLength > StatPageDescriptor.MAX_NAME
                || whyLength < 0
                || whyLength > StatPageDescriptor.MAX_WHY_OFF
                || switchedLength < 0
                || switchedLength > StatPageDescriptor.MAX_SWITCHED) {
            return null;
        }
        long client = counter(page, StatPageDescriptor.CLIENT_OFFSET);
        long accepted = counter(page, StatPageDescriptor.ACCEPTED_OFFSET);
        long ended = counter(page, StatPageDescriptor.ENDED_OFFSET);
        return new JvmStat(
                pid,
                counter(page, StatPageDescriptor.PID_OFFSET),
                text(page, StatPageDescriptor.NAME_OFFSET, (int) nameLength),
                Instant.ofEpochMilli(counter(page, StatPageDescriptor.START_OFFSET)),
                client,
                accepted,
                Math.max(0, client + accepted - ended),
                counter(page, StatPageDescriptor.DEVICE_OFFSET),
                counter(page, StatPageDescriptor.VIOLATED_OFFSET),
                counter(page, StatPageDescriptor.STRANGERS_OFFSET),
                counter(page, StatPageDescriptor.CLOSING_OFFSET),
                counter(page, StatPageDescriptor.MAPPED_OFFSET),
                counter(page, StatPageDescriptor.RINGS_REFUSED_OFFSET),
                counter(page, StatPageDescriptor.RING_BYTES_OFFSET),
                counter(page, StatPageDescriptor.RING_BUDGET_OFFSET),
                counter(page, StatPageDescriptor.GROWTHS_REFUSED_OFFSET),
                counter(page, StatPageDescriptor.WRITES_CUT_OFFSET),
                counter(page, StatPageDescriptor.WRITES_WAITED_OFFSET),
                sum(page, StatPageDescriptor.sentOffset(0), StatPageDescriptor.sentOffset(1)),
                sum(page, StatPageDescriptor.receivedOffset(0), StatPageDescriptor.receivedOffset(1)),
                reasons(page),
                KernelEnd.allOf(page),
                text(page, StatPageDescriptor.WHY_OFF_OFFSET, (int) whyLength),
                lines(page, StatPageDescriptor.SWITCHED_OFFSET, (int) switchedLength));
    }

    /** The value of a counter. A negative value, which no honest JVM writes, counts as 0. */
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

    private static List<String> lines(ByteBuffer page, int offset, int length) {
        return string(page, offset, length).lines().map(JvmStat::printable).toList();
    }

    /** A text without control characters, because the other process chooses it and it is printed on a terminal. */
    private static String text(ByteBuffer page, int offset, int length) {
        return printable(string(page, offset, length));
    }

    private static String string(ByteBuffer page, int offset, int length) {
        byte[] bytes = new byte[length];
        page.get(offset, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String printable(String text) {
        return text.replaceAll("\\P{Print}", "?");
    }
}
