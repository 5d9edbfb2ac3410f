// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import io.pipedevice.linux.DeniedAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The access of a process to files by its user, its groups and the modes of the files. Immutable.
 *
 * @param user its number
 * @param groups their numbers
 */
record UserAccess(int user, Set<Integer> groups) {
    private static final String ATTRIBUTES = "unix:uid,gid,permissions";

    /** The user and the groups of a process; null if there is no such process. */
    static UserAccess of(long pid) {
        try {
            String user = Processes.user(pid);
            Set<Integer> groups = new TreeSet<>();
            groups.add(Integer.parseUnsignedInt(Processes.status(pid, "Gid", 2)));
            for (String group : Processes.statusWords(pid, "Groups")) {
                groups.add(Integer.parseUnsignedInt(group));
            }
            return new UserAccess(Integer.parseUnsignedInt(user), Set.copyOf(groups));
        } catch (NumberFormatException e) {
            // It has ended.
            return null;
        }
    }

    /**
     * The obstacle to a connection of the process to a Unix socket.
     *
     * @param directory the socket's
     * @param name by which the reader knows the directory
     * @param socket the name of the socket in it
     * @return the denied access, with the owner and the mode of the file or directory; null if nothing is known to deny
     *     it
     */
    String denied(Path directory, String name, String socket) {
        if (user == 0) {
            return null;
        }
        try {
            if (!may(directory, PosixFilePermission.OWNER_EXECUTE)) {
                return "may not search " + DeniedAccess.describe(directory, name);
            }
            Path file = directory.resolve(socket);
            return may(file, PosixFilePermission.OWNER_WRITE)
                    ? null
                    : "may not write to "
                            + DeniedAccess.describe(file, Path.of(name, socket).toString());
        } catch (IOException e) {
            return null;
        }
    }

    /** Whether a file's mode permits an access, which is named as its owner's. */
    private boolean may(Path file, PosixFilePermission owners) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(file, ATTRIBUTES);
        PosixFilePermission needed = user == (int) attributes.get("uid")
                ? owners
                : groups.contains((int) attributes.get("gid")) ? ofGroup(owners) : ofOthers(owners);
        return ((Collection<?>) attributes.get("permissions")).contains(needed);
    }

    private static PosixFilePermission ofGroup(PosixFilePermission owners) {
        return owners == PosixFilePermission.OWNER_WRITE
                ? PosixFilePermission.GROUP_WRITE
                : PosixFilePermission.GROUP_EXECUTE;
    }

    private static PosixFilePermission ofOthers(PosixFilePermission owners) {
        return owners == PosixFilePermission.OWNER_WRITE
                ? PosixFilePermission.OTHERS_WRITE
                : PosixFilePermission.OTHERS_EXECUTE;
    }
}
