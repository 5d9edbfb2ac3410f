// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The address of a Unix domain socket, struct sockaddr_un of unix(7). */
public final class UnixAddress {
    private static final int FAMILY_LENGTH = 2;

    /** The longest name, in bytes: sun_path has 108, one of which is a 0 after a path or before an abstract name. */
    public static final int MAX_LENGTH = 107;

    private final boolean isAbstract;
    private final String name;
    private final byte[] bytes;

    private UnixAddress(boolean isAbstract, String name) {
        this.isAbstract = isAbstract;
        this.name = name;
        bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > MAX_LENGTH || name.indexOf(0) >= 0) {
            throw new IllegalArgumentException("the " + (isAbstract ? "abstract name" : "path") + " of a Unix socket"
                    + " has 1 to " + MAX_LENGTH + " bytes, none of them 0; this one has " + bytes.length + ": " + name);
        }
    }

    /**
     * A path in the file system, protected by its directory's permissions.
     *
     * @param path of 1 to {@link #MAX_LENGTH} bytes
     * @return the address
     */
    public static UnixAddress path(Path path) {
        return new UnixAddress(false, path.toString());
    }

    /**
     * A name in the network namespace, which disappears with the listener. Any process in the namespace can connect, or
     * listen at the name first. Each type of socket has its own names.
     *
     * @param name of 1 to {@link #MAX_LENGTH} bytes in UTF-8
     * @return the address
     */
    public static UnixAddress abstractName(String name) {
        return new UnixAddress(true, name);
    }

    /**
     * The name.
     *
     * @return as it was given
     */
    public String name() {
        return name;
    }

    /** Writes struct sockaddr_un into a zeroed buffer and returns its length. */
    int write(MemorySegment buffer) {
        buffer.set(ValueLayout.JAVA_SHORT, 0, (short) SocketCalls.AF_UNIX);
        int at = FAMILY_LENGTH + (isAbstract ? 1 : 0);
        MemorySegment.copy(bytes, 0, buffer, ValueLayout.JAVA_BYTE, at, bytes.length);
        return FAMILY_LENGTH + bytes.length + 1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UnixAddress address && address.isAbstract == isAbstract && address.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode() + (isAbstract ? 1 : 0);
    }

    @Override
    public String toString() {
        return isAbstract ? "@" + name : name;
    }
}
