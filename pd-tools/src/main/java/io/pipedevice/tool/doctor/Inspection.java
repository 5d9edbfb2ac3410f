// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;

/** Inspects one process for a command, or says in one line why that is not possible. */
public final class Inspection {
    private Inspection() {}

    /**
     * The facts about a JVM that runs.
     *
     * @param command the name of the command, for the message
     * @throws IllegalArgumentException if the process cannot be inspected, or is no JVM; the message is one line
     */
    static JvmFacts of(int pid, String command) {
        JvmFacts jvm;
        try {
            jvm = JvmFacts.of(pid);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(
                    "there is no process " + pid
                            + (Machine.procHides() ? ", or /proc hides it; run " + command + " as root" : ""),
                    e);
        } catch (AccessDeniedException e) {
            throw new IllegalArgumentException("process " + pid + whyDenied(Processes.user(pid), command), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    Files.exists(Processes.directory(pid))
                            ? "process " + pid + " cannot be inspected: " + e.getMessage()
                            : "there is no process " + pid,
                    e);
        }
        if (jvm == null) {
            throw new IllegalArgumentException(
                    "process " + pid + " (" + Processes.name(pid) + ") is no JVM, and PipeDevice accelerates java.nio");
        }
        return jvm;
    }

    private static String whyDenied(String user, String command) {
        int own = ProcessFacts.effectiveUid();
        if (own == 0) {
            return " may not be inspected from this container; run " + command
                    + " outside it, or give it CAP_SYS_PTRACE";
        }
        return user.equals(Integer.toUnsignedString(own))
                ? " has capabilities that this process lacks; run " + command + " as root"
                : " belongs to user " + user + "; run " + command + " as that user, or as root";
    }

    /**
     * Why a process shows no counters.
     *
     * @param pid a process without counters of this version
     * @param command the name of the command that reports this
     * @return one line
     */
    public static String whyNoCounters(int pid, String command) {
        try {
            JvmFacts jvm = of(pid, command);
            if (jvm.isOfAnotherVersion()) {
                return "process " + pid
                        + " has another version of PipeDevice; its own pipedevice.jar prints its counters";
            }
            Finding off = WhyOff.of(jvm);
            return "process " + pid + " (" + jvm.program() + ") has no counters: "
                    + (off == null ? Examination.NO_CHANNEL : off.text());
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }
}
