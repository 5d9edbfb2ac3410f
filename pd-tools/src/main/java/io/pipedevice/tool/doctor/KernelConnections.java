// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import static java.util.Map.entry;

import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.nio.stat.KernelEnd;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Explains the connections of a JVM that are on the kernel: their peers, the reasons, and what helps. Not thread safe.
 */
final class KernelConnections {
    private static final String NOT_LOCAL = "peer not local";
    static final String NO_RENDEZVOUS = "no rendezvous";
    static final String NOT_PEER = "not pipedevice peer";
    static final String SHARED_PORT = "shared port";
    private static final String UNIX_RULE = "unix rule";
    private static final String OTHER_USER = "other user";
    private static final String DRIVER_GONE = "driver gone";
    private static final String DRIVER_NOT_PERMITTED = "driver not permitted";

    /** Most lines for one JVM; the rest is summarised. */
    private static final int MOST = 12;

    private static final Map<String, String> EXPLAINED = Map.ofEntries(
            entry(NOT_LOCAL, "on another host, or in another network namespace"),
            entry(
                    NO_RENDEZVOUS,
                    "no process there ran PipeDevice, or not with the same driver; " + PeerComparison.IF_JVM),
            entry(NOT_PEER, "the client did not run PipeDevice, or not with the same driver; " + PeerComparison.IF_JVM),
            entry(
                    OTHER_USER,
                    "another user's process, or both belong to user 65534, which stands for all that the kernel cannot tell apart;"
                            + " run both as one user with another number, or both with -Dpipedevice.driver=DIR and a driver with --policy any"),
            entry(
                    "policy",
                    "a rule of the driver's policy (--policy FILE) keeps connections between the two programs on the kernel"),
            entry(
                    "other process",
                    "a process of this user offers rings there, but does not have the port, or cannot be inspected"),
            entry(
                    "no memory",
                    "no memory for rings; raise the container's memory limit, or --max-memory of the driver"),
            entry(
                    "no descriptors",
                    "this process, the other one or the driver had no descriptor left; raise ulimit -n of the one that the text names"),
            entry(
                    "backlog full",
                    "the server accepts too slowly, or has as many sockets as it may; raise its backlog, or --max-sockets of the driver"),
            entry(
                    DRIVER_GONE,
                    "no driver ran there, or it did not admit this process; start it with: pipedevice driver --dir DIR"),
            entry(
                    DRIVER_NOT_PERMITTED,
                    "this user may not use the driver; start it with a umask and a group that let this user write to its socket"),
            entry(SHARED_PORT, "this listener" + PeerComparison.SHARES_PORT),
            entry(UNIX_RULE, "not TCP: a rule of -Dpipedevice.unix sends them to a Unix-domain socket"),
            entry(
                    "no unix socket",
                    "a rule of -Dpipedevice.unix names a Unix-domain socket that was not there, or refused; the log says why"),
            entry(
                    "handshake failed",
                    "the server was too slow or has another version; use one pipedevice.jar, or -Dpipedevice.handshake.millis=5000"),
            entry(
                    "no source port",
                    "the kernel had no port left for a client, or no address; allow more ports, which all programs share:"
                            + " sysctl net.ipv4.ip_local_port_range=\"10000 65535\""));

    private final JvmFacts jvm;
    private final OtherEnds otherEnds;

    KernelConnections(JvmFacts jvm, OtherEnds otherEnds) {
        this.jvm = jvm;
        this.otherEnds = otherEnds;
    }

    /** One line for each peer, those with most connections first, and one for each reason that has more peers. */
    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        Map<String, Long> unexplained = new TreeMap<>(jvm.stat().onKernel());
        List<KernelEnd> ends = new ArrayList<>(jvm.stat().kernelEnds());
        ends.sort(Comparator.comparingLong(KernelEnd::count).reversed());
        for (KernelEnd end : ends.subList(0, Math.min(MOST, ends.size()))) {
            findings.add(explain(end));
            unexplained.merge(end.reason(), -end.count(), Long::sum);
        }
        unexplained.forEach((reason, count) -> {
            if (count > 0) {
                findings.add(finding(reason, count + " with other ends: " + EXPLAINED.getOrDefault(reason, reason)));
            }
        });
        return findings;
    }

    private static Finding finding(String reason, String text) {
        String code = reason.replace(' ', '-');
        return reason.equals(NOT_LOCAL) || reason.equals(UNIX_RULE)
                ? Finding.note(code, text)
                : Finding.problem(code, text);
    }

    private Finding explain(KernelEnd end) {
        String where = end.count()
                + (end.client()
                        ? " to " + text(end.address(), end.port())
                        : " from " + text(end.address()) + " at port " + end.port())
                + ": ";
        return switch (end.reason()) {
            case NOT_LOCAL -> Finding.note(code(end), where + whereIs(end));
            case DRIVER_GONE, DRIVER_NOT_PERMITTED -> finding(end.reason(), where + aboutDriver(end.reason()));
            case NO_RENDEZVOUS, NOT_PEER, OTHER_USER -> explainPeer(end, where);
            default -> finding(end.reason(), where + EXPLAINED.getOrDefault(end.reason(), end.reason()));
        };
    }

    private Finding explainPeer(KernelEnd end, String where) {
        if (!end.client() && !otherEnds.isLocal(end.address())) {
            return Finding.note(code(end), where + whereIs(end));
        }
        if (!isRunning() && isWithinProgram(end)) {
            return finding(end.reason(), where + PeerComparison.WITHIN_PROGRAM);
        }
        if (isOver(end)) {
            return Finding.note(
                    code(end),
                    where
                            + (end.client() ? "no process listens there any more" : "the client has closed it since")
                            + "; " + PeerComparison.IF_JVM);
        }
        Finding why = new PeerComparison(code(end), where, jvm, otherEnd(end), otherEnds).explain(end);
        return why == null ? finding(end.reason(), where + EXPLAINED.get(end.reason())) : why;
    }

    /** Where the other end is, if connections do not reach its address on rings. */
    private String whereIs(KernelEnd end) {
        InetAddress address = end.address();
        if (address.isLinkLocalAddress()) {
            return "a link-local address, for which PipeDevice leaves connections on the kernel; use another address";
        }
        if (otherEnds.isLocal(address)) {
            return "an address of this program's network namespace now, but not when it connected; connect again";
        }
        if (otherEnds.isElsewhere(address)) {
            long pid = end.client() ? otherEnds.listenerElsewhere(address, end.port()) : 0;
            return "in another network namespace (container) of this host"
                    + (pid == 0 ? "" : ", in process " + pid + " (" + Processes.name(pid) + ")")
                    + "; without a driver rings connect programs of one network namespace, such as a pod";
        }
        return "on another host"
                + (ProcessFacts.effectiveUid() == 0
                        ? ""
                        : ", or in a network namespace (container) that this user may not inspect; root may");
    }

    private String aboutDriver(String reason) {
        NamedDriver driver = NamedDriver.of(jvm);
        if (driver == null || !isRunning()) {
            return EXPLAINED.get(reason).replace("DIR", driver == null ? "DIR" : driver.toString());
        }
        Finding problem = driver.finding();
        return "the driver at " + driver + " did not serve this program then; "
                + (problem != null
                        ? "see " + problem.code()
                        : "connect again, and if that does not help, read the log of this program");
    }

    /** Whether the program, which may have ended, has served and used a port. */
    private boolean isWithinProgram(KernelEnd end) {
        return jvm.stat().kernelEnds().stream()
                .anyMatch(other -> other.client() != end.client() && other.port() == end.port());
    }

    private static String code(KernelEnd end) {
        return end.reason().replace(' ', '-');
    }

    private Neighbour otherEnd(KernelEnd end) {
        if (end.client()) {
            return otherEnds.listenerAt(end.address(), end.port());
        }
        for (TcpTable.Socket socket : jvm.connections()) {
            if (isOf(socket, end)) {
                return otherEnds.otherEnd(socket);
            }
        }
        return Neighbour.UNKNOWN;
    }

    private boolean isRunning() {
        return Files.exists(Processes.directory(jvm.pid()));
    }

    /** Whether the other end is gone. This is not known if the program itself has ended. */
    private boolean isOver(KernelEnd end) {
        if (!isRunning()) {
            return false;
        }
        return end.client()
                ? jvm.tcp().listenerAt(end.address(), end.port()) == null
                : jvm.connections().stream().noneMatch(socket -> isOf(socket, end));
    }

    private static boolean isOf(TcpTable.Socket socket, KernelEnd end) {
        return socket.remote().getAddress().equals(end.address())
                && (end.client() ? socket.remote() : socket.local()).getPort() == end.port();
    }

    /** The open connections with this host that do not belong to a channel of java.nio, as far as is known. */
    List<TcpTable.Socket> others() {
        return jvm.connections().stream()
                .filter(socket -> otherEnds.isLocal(socket.remote().getAddress()))
                .filter(socket ->
                        jvm.stat() == null || jvm.stat().kernelEnds().stream().noneMatch(end -> isOf(socket, end)))
                .toList();
    }

    /** An address and port as people write them. */
    static String text(InetAddress address, int port) {
        return (address instanceof Inet6Address ? "[" + text(address) + "]" : text(address)) + ":" + port;
    }

    private static String text(InetAddress address) {
        return address.getHostAddress().toLowerCase(Locale.ROOT);
    }
}
