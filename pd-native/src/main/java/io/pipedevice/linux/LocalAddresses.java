// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Reads the addresses of the network namespace that a process is in, like {@link ProcessFacts#localAddresses}, but in
 * steps and up to a limit: a process with a namespace of its own can give it any number of addresses. Not thread safe.
 */
public final class LocalAddresses implements AutoCloseable {
    /** The most bytes that are read from each of the two files of /proc/PID/net: some 8,000 addresses. */
    public static final int MAX_BYTES = 1 << 20;

    /**
     * The most bytes of one call of read(2). The kernel returns no more, and walks its tables from the start at each
     * call.
     */
    private static final int STEP_BYTES = 4 << 10;

    private final Path directory;
    private final byte[] buffer = new byte[STEP_BYTES];
    private final Set<InetAddress> addresses = new HashSet<>();
    private InputStream file;
    private boolean ipv6;
    private boolean complete = true;
    private int bytes;
    private String rest = "";

    /** The address of the entry of fib_trie that is being read. */
    private String entry;

    /**
     * Opens the first file.
     *
     * @param pid the process, 0 for this one
     * @throws IOException if there is no such process or it may not be inspected
     */
    public LocalAddresses(int pid) throws IOException {
        directory = ProcessFacts.proc(pid).resolve("net");
        file = open(directory.resolve("fib_trie"));
    }

    private static InputStream open(Path path) throws IOException {
        try {
            return Files.newInputStream(path);
        } catch (IOException e) {
            throw ProcessFacts.unreadable(path, e);
        }
    }

    /**
     * Reads a part, which takes at most about a millisecond.
     *
     * @return false if nothing is left to read
     * @throws IOException when the process has ended
     */
    public boolean step() throws IOException {
        int length = file.read(buffer);
        if (length >= 0) {
            bytes += length;
            parse(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
            if (bytes < MAX_BYTES) {
                return true;
            }
            complete = false;
        }
        return nextFile();
    }

    private boolean nextFile() throws IOException {
        file.close();
        if (ipv6) {
            return false;
        }
        ipv6 = true;
        bytes = 0;
        rest = "";
        Path next = directory.resolve("if_inet6");
        if (!Files.exists(next)) {
            return false;
        }
        file = open(next);
        return true;
    }

    private void parse(String text) throws IOException {
        String all = rest + text;
        int from = 0;
        for (int end = all.indexOf('\n'); end >= 0; end = all.indexOf('\n', from)) {
            line(all.substring(from, end).strip());
            from = end + 1;
        }
        rest = all.substring(from);
    }

    private void line(String line) throws IOException {
        if (ipv6) {
            ProcessFacts.addIpv6(line, addresses);
        } else {
            entry = ProcessFacts.addIpv4(line, entry, addresses);
        }
    }

    /**
     * The addresses that were read, without scope.
     *
     * @return all of them after {@link #step} returned false, if {@link #isComplete}
     */
    public Set<InetAddress> addresses() {
        return addresses;
    }

    /**
     * Whether both files were read to the end.
     *
     * @return false if addresses may be missing
     */
    public boolean isComplete() {
        return complete;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
