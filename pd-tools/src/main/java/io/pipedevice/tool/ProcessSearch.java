// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import io.pipedevice.driver.identity.ControlGroup;
import io.pipedevice.driver.identity.Identity;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Finds the process that a user means. */
final class ProcessSearch {
    private static final int LONGEST_PID = 7;

    private ProcessSearch() {}

    /**
     * Finds a process by its number, or the first one of a container by the beginning of its ID.
     *
     * @throws IOException if there is none or more than one, or it may not be inspected
     */
    static Identity find(String text) throws IOException {
        if (text.matches("[0-9]{1," + LONGEST_PID + "}")) {
            return Identity.ofProcess(Integer.parseInt(text));
        }
        if (!text.matches("[0-9a-f]{8,64}")) {
            throw new IOException("'" + text + "' is neither a process number nor 8 to 64 digits of a container's ID");
        }
        Map<String, Integer> found = new TreeMap<>();
        ProcessHandle.allProcesses().forEach(process -> {
            int pid = (int) process.pid();
            String id = containerOf(pid);
            if (id != null && id.startsWith(text)) {
                found.merge(id, pid, Math::min);
            }
        });
        if (found.size() != 1) {
            throw new IOException(
                    found.isEmpty()
                            ? "no process on this host belongs to a container " + text
                            : text + " is the beginning of several IDs: " + String.join(", ", found.keySet()));
        }
        return Identity.ofProcess(found.values().iterator().next());
    }

    private static String containerOf(int pid) {
        try {
            return ControlGroup.of(pid).containerId();
        } catch (IOException e) {
            // The process has ended.
            return null;
        }
    }
}
