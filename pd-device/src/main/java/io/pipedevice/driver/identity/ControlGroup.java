// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.identity;

import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The control group of a process as /proc/PID/cgroup shows it to this process, cgroups(7), and the container and pod
 * that its path names. A process may name groups only below its own. So the outermost name counts, and no name below a
 * group that its user or a service may divide: the names of rootless containers are ignored.
 *
 * @param path without the {@code /..} by which it leaves this process's cgroup namespace
 * @param unit the part of the path that only the administrator and the runtime have named
 * @param podUid the Kubernetes pod, in the form with hyphens; null if there is none
 * @param containerId 64 hexadecimal digits; null if there is none
 */
public record ControlGroup(String path, String unit, String podUid, String containerId) {
    private static final Pattern ID = Pattern.compile("(?:[a-z][a-z0-9-]*-)?([0-9a-f]{64})(?:\\.scope)?");

    /** A UID in either form, or the 32 digits of a static pod. */
    private static final Pattern POD = Pattern.compile(
            "(?:[a-z0-9-]*-)?pod([0-9a-f]{32}|[0-9a-f]{8}(?:[_-][0-9a-f]{4}){3}[_-][0-9a-f]{12})(?:\\.slice)?");

    /** The name that containerd makes if kubelet names slices, and it does not: slice, prefix and ID. */
    private static final Pattern COLONS = Pattern.compile("([^:]*):[^:]*:([0-9a-f]{64})");

    private static final String RUNTIME = "containerd.service";

    /** Podman's group, with cgroupfs. A bare ID directly below it is that of a pod of Podman's. */
    private static final String PODMAN = "libpod_parent";

    /** One line of the file. */
    private record Line(String controllers, String path) {
        /** The hierarchies that runtimes use, best first: that of version 2, then systemd's of version 1. */
        int rank() {
            return controllers.isEmpty() ? 0 : controllers.equals("name=systemd") ? 1 : 2;
        }
    }

    /**
     * Reads the control group of a process.
     *
     * @param pid the process
     * @return its group
     * @throws IOException if there is no such process
     */
    public static ControlGroup of(int pid) throws IOException {
        return parse(ProcessFacts.controlGroups(pid));
    }

    /**
     * Parses the lines of /proc/PID/cgroup.
     *
     * @param lines each {@code ID:CONTROLLERS:PATH}; others are left out
     * @return that of the first hierarchy that names a container, else the path of the first
     */
    static ControlGroup parse(List<String> lines) {
        List<Line> parsed = new ArrayList<>();
        for (String line : lines) {
            String[] fields = line.split(":", 3);
            if (fields.length == 3) {
                parsed.add(new Line(fields[1], fields[2]));
            }
        }
        parsed.sort(Comparator.comparingInt(Line::rank));
        ControlGroup first = null;
        for (Line each : parsed) {
            ControlGroup group = ofPath(each.path());
            if (group.containerId != null || group.podUid != null) {
                return group;
            }
            // In the hybrid mode of systemd the processes of another runtime are at the root of version 2.
            if (first == null || first.path.equals("/")) {
                first = group;
            }
        }
        return first == null ? ofPath("/") : first;
    }

    private static ControlGroup ofPath(String text) {
        String path = text;
        while (path.equals("/..") || path.startsWith("/../")) {
            path = path.substring(3);
        }
        if (path.isEmpty()) {
            path = "/";
        }
        StringBuilder unit = new StringBuilder();
        String pod = null;
        String container = null;
        String above = "";
        for (String name : path.substring(1).split("/", -1)) {
            if (name.isEmpty()) {
                break;
            }
            unit.append('/').append(name);
            Matcher colons = COLONS.matcher(name);
            boolean isTogether = colons.matches();
            String podName = podUid(isTogether ? colons.group(1) : name);
            pod = pod == null ? podName : pod;
            container = isTogether ? colons.group(2) : above.equals(PODMAN) ? podmanId(name) : containerId(name);
            above = name;
            if (container != null || isDivided(name)) {
                break;
            }
        }
        return new ControlGroup(path, unit.isEmpty() ? "/" : unit.toString(), pod, container);
    }

    /** Whether others than the administrator and runtimes may name groups below a name. */
    private static boolean isDivided(String name) {
        return name.endsWith(".scope") || (name.endsWith(".service") && !name.equals(RUNTIME));
    }

    private static String containerId(String name) {
        Matcher matcher = ID.matcher(name);
        return matcher.matches() ? matcher.group(1) : null;
    }

    private static String podmanId(String name) {
        return name.startsWith("libpod-") ? containerId(name) : null;
    }

    private static String podUid(String name) {
        Matcher matcher = POD.matcher(name);
        return matcher.matches() ? matcher.group(1).replace('_', '-') : null;
    }
}
