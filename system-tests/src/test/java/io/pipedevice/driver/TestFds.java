// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.Fd;
import java.io.File;
import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import sun.nio.ch.SelChImpl;

/** Descriptors as /proc/PID/fd shows them. */
final class TestFds {
    static {
        try {
            // The first close of a channel makes the JVM open a descriptor of its own, which stays open.
            Pipe pipe = Pipe.open();
            pipe.sink().close();
            pipe.source().close();
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private TestFds() {}

    /**
     * The number of descriptors of kernel objects that a process has. Class files and jars do not count, because the
     * JVM opens and closes them at any time.
     */
    static int kernelObjects(long pid) throws IOException {
        int count = 0;
        for (String name : names(pid)) {
            String target = target(pid, name);
            count += target.contains("memfd:") || target.matches("(socket|pipe|anon_inode):.*") ? 1 : 0;
        }
        return count;
    }

    /** The descriptor of a channel of the JDK, which keeps ownership. */
    static Fd of(SelectableChannel channel) {
        return Fd.own(((SelChImpl) channel).getFDVal());
    }

    /** The descriptor of this process whose link has a matching target. */
    static Fd find(Predicate<String> wanted) throws IOException {
        for (String name : names(0)) {
            if (wanted.test(target(0, name))) {
                return Fd.own(Integer.parseInt(name));
            }
        }
        throw new IOException("no such descriptor");
    }

    private static String[] names(long pid) throws IOException {
        String[] names = new File("/proc/" + (pid == 0 ? "self" : pid) + "/fd").list();
        if (names == null) {
            throw new IOException("no process " + pid);
        }
        return names;
    }

    private static String target(long pid, String name) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", pid == 0 ? "self" : Long.toString(pid), "fd", name))
                    .toString();
        } catch (IOException e) {
            return "";
        }
    }
}
