// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import io.pipedevice.memory.RingBudget;
import io.pipedevice.nio.stat.JvmStat;
import io.pipedevice.property.KnownProperties;
import io.pipedevice.property.Misspelling;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Examines the facts about one JVM, and reports what is accelerated and why the rest is not. Not thread safe. */
final class Examination {
    /** Most addresses that a line names. */
    private static final int NAMED = 3;

    /**
     * Partial writes are reported if there are at least this many, and more than one for each {@link #SENT_PER_CUT}
     * bytes.
     */
    private static final int MANY_CUT = 100;

    private static final int SENT_PER_CUT = 4 << 20;

    /** What is said of a program that PipeDevice has nothing to do for. */
    static final String NO_CHANNEL =
            "PipeDevice is in this JVM, but the program has opened no channel of java.nio that can be accelerated";

    private final JvmFacts jvm;
    private final JvmStat stat;
    private final KernelConnections kernel;
    private final boolean isHelper;

    /** Null if the program names none. */
    private final NamedDriver driver;

    private final List<Finding> findings = new ArrayList<>();

    private Examination(JvmFacts jvm, boolean othersHaveChannels) {
        this.jvm = jvm;
        this.stat = jvm.stat();
        this.kernel = new KernelConnections(jvm, new OtherEnds(jvm));
        this.driver = NamedDriver.of(jvm);
        this.isHelper = othersHaveChannels && stat == null;
    }

    /**
     * The result for one JVM.
     *
     * @param findings in the order in which they are printed
     * @param condition the summary
     */
    record Result(List<Finding> findings, Condition condition) {}

    /** How well a program is accelerated, from best to worst. */
    enum Condition {
        /**
         * There are connections, and those that are not on rings cannot be; or only other JVMs of the program use any.
         */
        ACCELERATED,
        /**
         * PipeDevice works in that JVM, but connections that could be on rings stay on the kernel, or there are no
         * connections.
         */
        PARTLY,
        /** PipeDevice does not work in that JVM. */
        OFF
    }

    /**
     * Examines a JVM.
     *
     * @param othersHaveChannels whether another JVM of the same program has opened channels, so that this one need not
     */
    static Result of(JvmFacts jvm, boolean othersHaveChannels) {
        Examination examination = new Examination(jvm, othersHaveChannels);
        Condition condition = examination.examine();
        return new Result(List.copyOf(examination.findings), condition);
    }

    private Condition examine() {
        String java = jvm.javaVersion().isEmpty() ? "" : ", Java " + jvm.javaVersion();
        findings.add(Finding.note("program", jvm.pid() + " " + jvm.program() + java));
        Finding whyOff = WhyOff.of(jvm);
        if (whyOff != null) {
            findings.add(whyOff);
        } else if (jvm.isOfAnotherVersion()) {
            findings.add(Finding.problem(
                    "other-version",
                    "this JVM has another version of PipeDevice than this doctor, which cannot read its counters;"
                            + " use the same pipedevice.jar for both"));
        } else if (stat == null) {
            findings.add(isHelper ? Finding.note("no-channel", NO_CHANNEL) : Finding.problem("no-channel", NO_CHANNEL));
        } else {
            countConnections();
        }
        findings.addAll(NativeLibraries.findings(jvm));
        if (!jvm.isOfAnotherVersion()) {
            lookAtOtherConnections(whyOff != null);
        }
        noteMisspelledProperties();
        for (String defect : jvm.jdkDefects()) {
            findings.add(Finding.note("jdk-defect", defect));
        }
        Finding noDriver = driver == null ? null : driver.finding();
        if (noDriver != null) {
            findings.add(noDriver);
        }
        if (whyOff != null) {
            return Condition.OFF;
        }
        boolean used = stat != null
                && (stat.client() + stat.accepted() > 0 || !stat.onKernel().isEmpty());
        boolean problems = findings.stream().anyMatch(Finding::isProblem);
        return (used || isHelper) && !problems ? Condition.ACCELERATED : Condition.PARTLY;
    }

    private void countConnections() {
        long rings = stat.client() + stat.accepted();
        long onKernel =
                stat.onKernel().values().stream().mapToLong(Long::longValue).sum();
        List<Finding> explained = kernel.findings();
        String text = rings + " of " + (rings + onKernel) + " connections of java.nio on rings, " + stat.open()
                + " of them open";
        long lost = driver == null ? 0 : driver.lost(stat.open());
        if (rings == 0 && onKernel == 0) {
            findings.add(Finding.note("accelerated", "no connection of java.nio yet"));
        } else if (lost > 0) {
            findings.add(Finding.problem(
                    "accelerated",
                    text + ", but the driver of " + lost
                            + " of those has ended since: they are reset at their next use"));
        } else if (explained.stream().anyMatch(Finding::isProblem)) {
            findings.add(Finding.problem("accelerated", text));
        } else {
            findings.add(rings == 0 ? Finding.note("accelerated", text) : Finding.ok("accelerated", text));
        }
        findings.addAll(explained);
        noteFullRings();
        noteRingMemory();
        if (stat.violated() > 0) {
            findings.add(
                    Finding.problem(
                            "protocol",
                            stat.violated()
                                    + " connections were reset because a peer broke the protocol; see the log of this program"));
        }
    }

    /**
     * Notes full rings: a program that drops what a channel does not take becomes slow then, and nothing else shows the
     * reason.
     */
    private void noteFullRings() {
        long cut = stat.writesCut();
        if (cut >= MANY_CUT && cut > stat.bytesSent() / SENT_PER_CUT) {
            findings.add(Finding.note(
                    "full-rings",
                    cut + " non-blocking writes found a ring full, one for each "
                            + Math.max(1, (stat.bytesSent() / cut) >> 10)
                            + " KB sent: the other end reads more slowly than this one writes. A program that drops what"
                            + " finds no room (JGroups with few max_send_buffers) may send it again later; a"
                            + " pipedevice.ring.max or SO_SNDBUF that is set leaves less room than the default"));
        }
    }

    /** Notes that rings stay small because they have the memory that they may have. */
    private void noteRingMemory() {
        if (stat.growthsRefused() > 0) {
            findings.add(Finding.note(
                    "ring-memory",
                    stat.growthsRefused() + " times a ring did not grow, because the rings of this process may have "
                            + (stat.ringBudget() >> 20) + " MB and have " + (stat.ringBytes() >> 20)
                            + " MB now: many peers read more slowly than this program writes, or it has many connections."
                            + " Give the container more memory, or rings a larger part of it: -D"
                            + RingBudget.PROPERTY + "=25%"));
        }
    }

    private void noteMisspelledProperties() {
        for (String name : jvm.options().propertyNames(KnownProperties.PREFIX)) {
            if (!KnownProperties.isKnown(name)) {
                findings.add(Finding.note("unknown-property", Misspelling.report(name)));
            }
        }
    }

    /** Examines connections that are not of java.nio, or that could be accelerated if PipeDevice worked. */
    private void lookAtOtherConnections(boolean off) {
        List<TcpTable.Socket> others = kernel.others();
        boolean toldAll = stat == null || stat.kernelEnds().size() < JvmStat.MOST_KERNEL_ENDS;
        if (!others.isEmpty() && toldAll) {
            String with = others.stream()
                    .map(TcpTable.Socket::remote)
                    .map(remote -> KernelConnections.text(remote.getAddress(), remote.getPort()))
                    .limit(NAMED)
                    .collect(Collectors.joining(", ", "", others.size() > NAMED ? ", ..." : ""));
            findings.add(Finding.note(
                    "other-tcp",
                    others.size() + " open TCP connections within this host "
                            + (off
                                    ? "could be on rings"
                                    : "belong to native code, or to sockets and asynchronous channels that stay the JDK's")
                            + ": with " + with));
        }
        if (jvm.usedAsynchronousChannel()) {
            findings.add(Finding.note(
                    "asynchronous-channels",
                    "the program created an AsynchronousSocketChannel or AsynchronousServerSocketChannel of the JDK's own,"
                            + " whose connections stay on the kernel: java.nio.channels.spi.AsynchronousChannelProvider"
                            + " names another provider than PipeDevice's"));
        }
        if (jvm.usedSocket()) {
            findings.add(
                    Finding.note(
                            "java-net-socket",
                            "the program created a java.net.Socket; if it was connected, that connection was the kernel's, as -Dpipedevice.sockets=channels says"));
        }
    }
}
