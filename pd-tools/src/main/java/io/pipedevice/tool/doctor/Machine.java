// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import io.pipedevice.linux.HugePages;
import io.pipedevice.linux.Platform;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reports what the machine and its limits lack for PipeDevice or for the doctor. Reports nothing that is in order. */
final class Machine {
    /** The first version with MADV_POPULATE_READ. */
    private static final int[] NEEDED_LINUX = {5, 14};

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

    /** Tenths of the limit of descriptors: from this many on, nearly all are in use. */
    private static final int NEARLY = 8;

    private Machine() {}

    /**
     * Findings that concern all programs.
     *
     * @param driver whether one of the programs names a driver that runs, whose rings use huge pages
     */
    static List<Finding> findings(boolean driver) {
        List<Finding> findings = new ArrayList<>();
        String release = System.getProperty("os.version");
        if (!Platform.supported()) {
            findings.add(Finding.problem("platform", Platform.whyNot()));
        } else if (isOlder(release, NEEDED_LINUX)) {
            findings.add(
                    Finding.problem("kernel-version", "PipeDevice needs Linux 5.14 or later, and this is " + release));
        } else {
            lookForMemory(findings);
            if (driver) {
                lookForHugePages(findings);
            }
        }
        if (procHides(mounts())) {
            findings.add(Finding.note(
                    "hidepid",
                    "/proc hides processes of other users, so that peers may be missing here; run the doctor as root"));
        }
        return findings;
    }

    private static void lookForMemory(List<Finding> findings) {
        try (SharedRegion region = SharedRegion.create("pipedevice-doctor", 1, false)) {
            region.allocate(0, region.size());
        } catch (IOException e) {
            findings.add(Finding.problem(
                    "shared-memory",
                    "this machine gives no sealed memory files (" + e.getMessage()
                            + "); allow memfd_create and fcntl in this container, and give it memory"));
        }
    }

    private static void lookForHugePages(List<Finding> findings) {
        if (HugePages.total2M() == 0) {
            findings.add(
                    Finding.note(
                            "huge-pages",
                            "no 2 MB pages are reserved, so a driver's rings use normal pages; reserve some: sysctl vm.nr_hugepages=64"));
        } else if (HugePages.free2M() == 0) {
            findings.add(Finding.note(
                    "huge-pages",
                    "all " + HugePages.total2M()
                            + " pages of 2 MB are in use, so new rings use normal pages; reserve more: sysctl vm.nr_hugepages="
                            + 2 * HugePages.total2M()));
        }
    }

    static boolean isOlder(String release, int[] needed) {
        Matcher version = VERSION.matcher(release);
        if (!version.matches()) {
            return false;
        }
        int major = Integer.parseInt(version.group(1));
        return major < needed[0] || (major == needed[0] && Integer.parseInt(version.group(2)) < needed[1]);
    }

    private static List<String> mounts() {
        try {
            return Files.readAllLines(Path.of("/proc/self/mounts"));
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Whether processes of other users are hidden, according to the lines of a mounts file of proc(5). */
    static boolean procHides(List<String> mounts) {
        return mounts.stream()
                .map(line -> line.split(" ", -1))
                .anyMatch(fields -> fields.length > 3
                        && fields[1].equals("/proc")
                        && fields[3].matches(".*\\bhidepid=(?!0|off).*"));
    }

    /** Whether /proc hides the processes of other users on this machine. */
    static boolean procHides() {
        return procHides(mounts());
    }

    /** Findings that concern one program: its limits, its network. None are known after it has ended. */
    static List<Finding> findings(JvmFacts jvm) {
        List<Finding> findings = new ArrayList<>();
        int pid = (int) jvm.pid();
        try {
            long limit = ProcessFacts.openFilesLimit(pid);
            int open = ProcessFacts.openFds(pid);
            if (open / NEARLY >= limit / 10) {
                findings.add(Finding.problem(
                        "open-files",
                        open + " of " + limit
                                + " descriptors are open, and without one a connection stays on the kernel;"
                                + " raise ulimit -n"));
            }
            if (ProcessFacts.networkNamespace(pid) != ProcessFacts.networkNamespace(0)) {
                findings.add(Finding.note(
                        "network-namespace",
                        "the program is in another network namespace than this shell;"
                                + " without a driver programs meet only in the same one"));
            }
        } catch (IOException e) {
            return findings;
        }
        return findings;
    }
}
