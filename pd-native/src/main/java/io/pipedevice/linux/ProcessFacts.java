// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import io.pipedevice.jdk.Literals;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * Information of the kernel about a process, from proc(5).
 *
 * <p>All process numbers are those of this process's PID namespace; 0 means this process. Numbers are reused: a caller
 * that asks about another process must hold a {@link PidFd} of it, and check afterwards that it is still alive.
 */
public final class ProcessFacts {
    private static final int IFA_F_DADFAILED = 0x08;
    private static final int IFA_F_TENTATIVE = 0x40;

    private ProcessFacts() {}

    /**
     * One line of /proc/PID/maps.
     *
     * @param start  first address
     * @param end    address after the last
     * @param perms  such as {@code rw-s}: readable, writable, executable, shared or private
     * @param offset in the file, in bytes
     * @param inode  of the file, 0 for none
     * @param path   such as {@code /memfd:NAME (deleted)}, or empty
     */
    public record MapEntry(long start, long end, String perms, long offset, long inode, String path) {}

    /**
     * The network namespace of a process.
     *
     * @param pid the process, 0 for this one
     * @return the inode of /proc/PID/ns/net, unique among the namespaces that exist
     * @throws IOException when there is no such process or it may not be inspected
     */
    public static long networkNamespace(int pid) throws IOException {
        return namespace(pid, "net");
    }

    /**
     * The user namespace of a process.
     *
     * @param pid the process, 0 for this one
     * @return the inode of /proc/PID/ns/user, unique among the namespaces that exist
     * @throws IOException when there is no such process or it may not be inspected
     */
    public static long userNamespace(int pid) throws IOException {
        return namespace(pid, "user");
    }

    private static long namespace(int pid, String type) throws IOException {
        Path link = proc(pid).resolve("ns").resolve(type);
        String target;
        try {
            target = Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            throw unreadable(link, e);
        }
        try {
            return Long.parseLong(target.substring(target.indexOf('[') + 1, target.indexOf(']')));
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new IOException(link + " has an unknown form: " + target, e);
        }
    }

    /**
     * The addresses of the network namespace that a process is in: those to which it could bind a socket. Every address
     * of the network 127.0.0.0/8 is local, but only the configured ones are listed.
     *
     * @param pid the process, 0 for this one
     * @return IPv4 and IPv6 addresses, without scope
     * @throws IOException when there is no such process or it may not be inspected
     */
    public static Set<InetAddress> localAddresses(int pid) throws IOException {
        Set<InetAddress> result = new HashSet<>();
        String entry = null;
        for (String line : lines(proc(pid).resolve("net/fib_trie"))) {
            entry = addIpv4(line.strip(), entry, result);
        }
        Path ipv6 = proc(pid).resolve("net/if_inet6");
        if (Files.exists(ipv6)) {
            for (String line : lines(ipv6)) {
                addIpv6(line.strip(), result);
            }
        }
        return result;
    }

    /**
     * Adds the address of a line of fib_trie if the line says that it is local.
     *
     * @param entry the address that the lines before belong to; null before the first
     * @return the address that the next line belongs to
     */
    static String addIpv4(String line, String entry, Set<InetAddress> addresses) {
        if (line.startsWith("|-- ")) {
            return line.substring(4);
        }
        if (line.equals("/32 host LOCAL") && entry != null) {
            addresses.add(Literals.address(entry));
        }
        return entry;
    }

    /** Adds the address of a line of if_inet6, unless it is not usable yet. */
    static void addIpv6(String line, Set<InetAddress> addresses) throws IOException {
        String[] fields = line.split(" +", -1);
        int flags = Integer.parseInt(fields[4], 16);
        if ((flags & (IFA_F_DADFAILED | IFA_F_TENTATIVE)) == 0) {
            addresses.add(InetAddress.getByAddress(HexFormat.of().parseHex(fields[0])));
        }
    }

    /**
     * How many descriptors a process has open, not including the one that this method uses.
     *
     * @param pid the process, 0 for this one
     * @return the number
     * @throws IOException when there is no such process or it may not be inspected
     */
    public static int openFds(int pid) throws IOException {
        Path directory = proc(pid).resolve("fd");
        String[] names = new File(directory.toString()).list();
        if (names == null) {
            throw new IOException("cannot list " + directory + (Files.exists(directory) ? "" : ": no such process"));
        }
        return names.length - (isSelf(pid) ? 1 : 0);
    }

    /**
     * How many descriptors a process may have open, the soft limit RLIMIT_NOFILE of getrlimit(2).
     *
     * @param pid the process, 0 for this one
     * @return the number, {@link Long#MAX_VALUE} for no limit
     * @throws IOException when there is no such process or it may not be inspected
     */
    public static long openFilesLimit(int pid) throws IOException {
        if (pid == 0) {
            long own = SystemCalls.openFilesLimit();
            return own < 0 ? Long.MAX_VALUE : own;
        }
        return limit(pid, "Max open files");
    }

    /**
     * How much memory a process may lock in place, the soft limit RLIMIT_MEMLOCK of getrlimit(2).
     *
     * @param pid the process, 0 for this one
     * @return in bytes, {@link Long#MAX_VALUE} for no limit
     * @throws IOException when there is no such process or it may not be inspected
     */
    public static long lockedMemoryLimit(int pid) throws IOException {
        return limit(pid, "Max locked memory");
    }

    private static long limit(int pid, String name) throws IOException {
        Path file = proc(pid).resolve("limits");
        for (String line : lines(file)) {
            if (line.startsWith(name)) {
                String soft = line.substring(name.length()).strip().split(" +", -1)[0];
                return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
            }
        }
        throw new IOException(file + " has an unknown form");
    }

    /**
     * The control groups of a process, cgroups(7).
     *
     * @param pid the process, 0 for this one
     * @return one line for each hierarchy, {@code ID:CONTROLLERS:PATH}
     * @throws IOException when there is no such process
     */
    public static List<String> controlGroups(int pid) throws IOException {
        return lines(proc(pid).resolve("cgroup"));
    }

    /**
     * The memory mappings of a process.
     *
     * @param pid the process, 0 for this one
     * @return in the order of addresses
     * @throws IOException when there is no such process or it may not be inspected
     */
    public static List<MapEntry> maps(int pid) throws IOException {
        List<MapEntry> result = new ArrayList<>();
        for (String line : lines(proc(pid).resolve("maps"))) {
            String[] fields = line.split(" +", 6);
            int dash = fields[0].indexOf('-');
            result.add(new MapEntry(
                    Long.parseUnsignedLong(fields[0], 0, dash, 16),
                    Long.parseUnsignedLong(fields[0], dash + 1, fields[0].length(), 16),
                    fields[1],
                    Long.parseUnsignedLong(fields[2], 16),
                    Long.parseUnsignedLong(fields[4]),
                    fields.length < 6 ? "" : fields[5]));
        }
        return result;
    }

    /**
     * The name of a process's program, which the kernel truncates to 15 characters. The process can change it, so it is
     * only suitable for a log.
     *
     * @param pid the process, 0 for this one
     * @return such as {@code java}
     * @throws IOException when there is no such process
     */
    public static String commandName(int pid) throws IOException {
        List<String> lines = lines(proc(pid).resolve("comm"));
        return lines.isEmpty() ? "" : lines.get(0);
    }

    /**
     * The number of this process, getpid(2).
     *
     * @return as this process's PID namespace sees it
     */
    public static int self() {
        return SystemCalls.processId();
    }

    /**
     * The effective user of this process, geteuid(2).
     *
     * @return a user number, unsigned
     */
    public static int effectiveUid() {
        return SystemCalls.effectiveUid();
    }

    /**
     * The effective user of a process.
     *
     * @param pid the process, 0 for this one
     * @return a user number, unsigned
     * @throws IOException when there is no such process
     */
    public static int effectiveUid(int pid) throws IOException {
        Path file = proc(pid).resolve("status");
        for (String line : lines(file)) {
            if (line.startsWith("Uid:")) {
                return Integer.parseUnsignedInt(line.split("\\s+", -1)[2]);
            }
        }
        throw new IOException(file + " has an unknown form");
    }

    /**
     * The time at which a process started. Together with its number this identifies the process for ever.
     *
     * @param pid the process, 0 for this one
     * @return clock ticks since the system started
     * @throws IOException when there is no such process
     */
    public static long startTime(int pid) throws IOException {
        return stat(pid, 22);
    }

    /**
     * How much processor time a process has used, in user and kernel mode, including threads that have ended.
     *
     * @param pid the process, 0 for this one
     * @return seconds, in steps of a clock tick (10 ms)
     * @throws IOException when there is no such process
     */
    public static double cpuSeconds(int pid) throws IOException {
        return (double) (stat(pid, 14) + stat(pid, 15)) / SystemCalls.clockTicksPerSecond();
    }

    /** A field of /proc/PID/stat, by its number in proc(5), from 3 on. */
    private static long stat(int pid, int field) throws IOException {
        Path file = proc(pid).resolve("stat");
        String line = String.join(" ", lines(file));
        // The second field is the program's name in parentheses, which may itself have spaces and parentheses.
        String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1);
        try {
            return Long.parseLong(fields[field - 3]);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new IOException(file + " has an unknown form: " + line, e);
        }
    }

    private static boolean isSelf(int pid) {
        return pid == 0 || pid == self();
    }

    static Path proc(int pid) {
        if (pid < 0) {
            throw new IllegalArgumentException("pid " + pid);
        }
        return Path.of("/proc", pid == 0 ? "self" : Integer.toString(pid));
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file, java.nio.charset.StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    static IOException unreadable(Path file, IOException cause) {
        // Callers distinguish whether this process ran out of descriptors or the inspected process is the cause.
        for (int exhausted : new int[] {Errno.ENFILE, Errno.EMFILE}) {
            if (String.valueOf(cause.getMessage()).contains(Errno.text(exhausted))) {
                LinuxException failure = new LinuxException("open", exhausted);
                failure.initCause(cause);
                return failure;
            }
        }
        boolean gone = cause instanceof NoSuchFileException
                || String.valueOf(cause.getMessage()).contains("No such process");
        boolean denied = cause instanceof AccessDeniedException;
        String why = gone ? "no such process" : denied ? "not permitted without CAP_SYS_PTRACE" : cause.getMessage();
        return new IOException("cannot read " + file + ": " + why, cause);
    }
}
