// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.Project;
import io.pipedevice.bench.program.Program;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.samples.nio.RingAllreduce;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The class path of the programs: their own classes, the samples and the libraries, without PipeDevice. */
public final class ClassPath {
    private static final List<String> LIBRARIES = List.of(
            "HdrHistogram", "netty-", "aeron-", "agrona", "grpc-", "guava-", "failureaccess-", "gson-", "perfmark-");

    private ClassPath() {}

    /**
     * The class path of programs that have no reference to PipeDevice.
     *
     * @return as the JVM takes it
     */
    public static String ofPrograms() {
        List<String> parts = new ArrayList<>();
        parts.add(Project.classPathOf(Program.class).toString());
        parts.add(Project.classPathOf(RingAllreduce.class).toString());
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (isLibrary(part)) {
                parts.add(part);
            }
        }
        return String.join(File.pathSeparator, parts);
    }

    /** The same with PD Lib, for programs that use it. */
    static String ofLibPrograms() {
        return ofPrograms() + File.pathSeparator + Project.classPathOf(PipeDevice.class);
    }

    private static boolean isLibrary(String part) {
        if (part.isEmpty()) {
            return false;
        }
        String name = Path.of(part).getFileName().toString();
        return LIBRARIES.stream().anyMatch(name::startsWith);
    }
}
