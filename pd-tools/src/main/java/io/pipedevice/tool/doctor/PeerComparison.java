// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import io.pipedevice.linux.UserIds;
import io.pipedevice.nio.stat.JvmStat;
import io.pipedevice.nio.stat.KernelEnd;

/**
 * Compares a JVM with the process at the other end of its connections, and says why those are on the kernel. Not thread
 * safe.
 */
final class PeerComparison {
    /** The remedy for a JVM without PipeDevice. */
    static final String ADD_AGENT = "start it with -javaagent:pipedevice-agent.jar";

    /** About connections of a program to itself. */
    static final String WITHIN_PROGRAM =
            "both ends belong to this program, whose listener offered no rings when it connected";

    /** The remedy for a process that has ended, or closed the connection, of which nothing else is known. */
    static final String IF_JVM = "if that was a JVM without PipeDevice, " + ADD_AGENT
            + "; with it, sockets of java.net stay on the kernel" + " where -Dpipedevice.sockets=channels";

    /** The problem of a listener that shares its port, and the remedy. */
    static final String SHARES_PORT =
            " has SO_REUSEPORT, with which the kernel distributes the connections among all listeners of the port;"
                    + " use one listener without that option";

    /** Of the findings. */
    private final String code;

    /** How the texts of the findings begin. */
    private final String where;

    private final JvmFacts jvm;
    private final Neighbour other;
    private final OtherEnds otherEnds;

    PeerComparison(String code, String where, JvmFacts jvm, Neighbour other, OtherEnds otherEnds) {
        this.code = code;
        this.where = where;
        this.jvm = jvm;
        this.other = other;
        this.otherEnds = otherEnds;
    }

    private Finding problem(String text) {
        return Finding.problem(code, where + text);
    }

    private Finding note(String text) {
        return Finding.note(code, where + text);
    }

    /** Why these connections are on the kernel; null if the processes show too little. */
    Finding explain(KernelEnd end) {
        String process = other.text();
        return switch (other.kind()) {
            case UNKNOWN -> differentUser("a process that this doctor may not inspect");
            case NO_JVM -> note(process + " is no JVM");
            case PLAIN_JVM -> problem(process + " has no PipeDevice; " + ADD_AGENT);
            case OTHER_VERSION ->
                problem(process + " has another version of PipeDevice; use the same pipedevice.jar for both");
            case OFF -> problem(process + " has PipeDevice, which is off there; see: pipedevice doctor " + other.pid());
            case WITHOUT_CHANNELS -> withoutChannels();
            case WITH_PIPEDEVICE -> compare(end);
        };
    }

    private Finding compare(KernelEnd end) {
        KernelEnd theirs = theirs(end);
        if (end.client() && isShared(end, theirs)) {
            return problem("the listener at port " + end.port() + SHARES_PORT);
        }
        if (other.pid() == jvm.pid() && theirs != null) {
            return problem(WITHIN_PROGRAM);
        }
        boolean channels = usesChannels(end);
        if (!channels && NativeLibraries.bypass(other.jvm()) != null) {
            return withoutChannels();
        }
        Finding user = differentUser(other.text());
        if (user != null) {
            return user;
        }
        Finding driver = differentDriver();
        if (driver != null) {
            return driver;
        }
        if (!channels) {
            return withoutChannels();
        }
        if (theirs != null && chose(theirs)) {
            return problem(other.text() + " chose the kernel (" + theirs.reason() + "); see: pipedevice doctor "
                    + other.pid());
        }
        return problem(
                other.text() + " has PipeDevice, but the server offered no rings there when the client connected;"
                        + " connect again, and if that does not help, see: pipedevice doctor " + other.pid());
    }

    /** The connections are of another API of the other process, or of native code in it. */
    private Finding withoutChannels() {
        Finding bypass = NativeLibraries.bypass(other.jvm());
        if (bypass != null) {
            return problem("in " + other.text() + ", " + bypass.text());
        }
        return note(other.text()
                + (other.jvm().options().leavesSocketsToJdk()
                        ? " has PipeDevice, and uses sockets of java.net that stay on the kernel: the agent accelerates"
                                + " them, unless -Dpipedevice.sockets=channels"
                        : " has PipeDevice, and uses native code, or asynchronous channels of another provider, whose"
                                + " connections stay on the kernel"));
    }

    /** Whether the other process uses channels of java.nio for these connections, as far as is known. */
    private boolean usesChannels(KernelEnd end) {
        return theirs(end) != null
                || other.jvm().stat().kernelEnds().size() >= JvmStat.MOST_KERNEL_ENDS
                || (end.client() && otherEnds.offersRings(end.port()));
    }

    /** What the other process says of these connections; null if it says nothing. */
    private KernelEnd theirs(KernelEnd end) {
        for (KernelEnd candidate : other.jvm().stat().kernelEnds()) {
            if (candidate.client() != end.client() && candidate.port() == end.port()) {
                return candidate;
            }
        }
        return null;
    }

    /** Whether the other process gives a reason of its own, rather than what this end did. */
    private static boolean chose(KernelEnd theirs) {
        return !theirs.reason().equals(KernelConnections.NO_RENDEZVOUS)
                && !theirs.reason().equals(KernelConnections.NOT_PEER);
    }

    /** Whether several sockets may listen where the connections of this client lead. */
    private boolean isShared(KernelEnd end, KernelEnd theirs) {
        return (theirs != null && theirs.reason().equals(KernelConnections.SHARED_PORT))
                || jvm.tcp().isShared(end.address(), end.port());
    }

    private Finding differentUser(String process) {
        String user = jvm.user();
        if (user.isEmpty() || other.user() == -1) {
            return null;
        }
        int own = Integer.parseUnsignedInt(user);
        if (UserIds.isSame(own, other.user())) {
            return null;
        }
        String users = own == other.user()
                ? "both ends belong to user " + user
                        + ", which stands for all users that the kernel cannot tell apart; run both as one user with another"
                        + " number"
                : process + " belongs to user " + Integer.toUnsignedString(other.user()) + ", and this program to user "
                        + user + "; run both as one user";
        NamedDriver driver = NamedDriver.of(jvm);
        boolean isCommon = driver != null && other.jvm() != null && driver.isSame(NamedDriver.of(other.jvm()));
        return problem(users
                + (isCommon
                        ? ", or start the driver at " + driver + " as root with --policy any"
                        : ", or both with -Dpipedevice.driver=DIR and a driver of root with --policy any"));
    }

    private Finding differentDriver() {
        NamedDriver own = NamedDriver.of(jvm);
        NamedDriver theirs = NamedDriver.of(other.jvm());
        if (own == null ? theirs == null : own.isSame(theirs)) {
            return null;
        }
        return problem(other.text() + " names " + text(theirs) + ", and this program " + text(own)
                + "; start both with the same -Dpipedevice.driver, or both without");
    }

    private static String text(NamedDriver driver) {
        return driver == null ? "no driver" : "the driver at " + driver;
    }
}
