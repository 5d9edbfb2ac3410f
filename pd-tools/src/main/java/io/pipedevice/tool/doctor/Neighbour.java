// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import java.io.IOException;

/**
 * The process at the other end of connections. Immutable.
 *
 * @param pid 0 if it is not known
 * @param user the number of its user; negative if it is not known
 * @param jvm null if it is no JVM, or may not be inspected
 * @param kind what it is as a peer for rings
 */
record Neighbour(long pid, int user, JvmFacts jvm, Kind kind) {
    /** What a process is as a peer for rings. */
    enum Kind {
        /** There is no process, or it may not be inspected. */
        UNKNOWN,
        /** It cannot have PipeDevice. */
        NO_JVM,
        /** It could have PipeDevice. */
        PLAIN_JVM,
        /** It has PipeDevice, and has opened no channel of java.nio. */
        WITHOUT_CHANNELS,
        /** It has PipeDevice, which is off. */
        OFF,
        /** It has another version of PipeDevice than this. */
        OTHER_VERSION,
        /** It has PipeDevice. */
        WITH_PIPEDEVICE
    }

    /** Nothing is known of it. */
    static final Neighbour UNKNOWN = new Neighbour(0, -1, null, Kind.UNKNOWN);

    /**
     * Inspects a process.
     *
     * @param pid 0 if it is not known
     * @param socketUser who opened its socket; counts if the process itself may not be inspected
     */
    static Neighbour of(long pid, int socketUser) {
        if (pid == 0) {
            return new Neighbour(0, socketUser, null, Kind.UNKNOWN);
        }
        String user = Processes.user(pid);
        int uid = user.isEmpty() ? socketUser : Integer.parseUnsignedInt(user);
        try {
            JvmFacts jvm = JvmFacts.of(pid);
            return new Neighbour(pid, uid, jvm, jvm == null ? Kind.NO_JVM : kind(jvm));
        } catch (IOException e) {
            return new Neighbour(pid, uid, null, Kind.UNKNOWN);
        }
    }

    private static Kind kind(JvmFacts jvm) {
        if (jvm.isOfAnotherVersion()) {
            return Kind.OTHER_VERSION;
        }
        if (WhyOff.of(jvm) != null) {
            return jvm.stat() != null || jvm.options().hasAgent() ? Kind.OFF : Kind.PLAIN_JVM;
        }
        return jvm.stat() == null ? Kind.WITHOUT_CHANNELS : Kind.WITH_PIPEDEVICE;
    }

    /** The process, for people. */
    String text() {
        return "process " + pid + " (" + Processes.name(pid) + ")";
    }
}
