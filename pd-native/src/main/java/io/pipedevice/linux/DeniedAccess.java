// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Names the file or directory that denies a process access to a Unix socket, and its owner. */
public final class DeniedAccess {
    private DeniedAccess() {}

    /**
     * Explains EACCES of connect(2).
     *
     * @param socket the file of the socket
     * @return one clause, with the number of this user, and the owner and the mode of the file or directory that denies
     *     access
     */
    public static String explain(Path socket) {
        String user = "user " + Integer.toUnsignedString(ProcessFacts.effectiveUid());
        Path directory = socket.toAbsolutePath().getRoot();
        for (Path part : socket.toAbsolutePath().getParent()) {
            directory = directory.resolve(part);
            if (!Files.isExecutable(directory)) {
                return user + " may not search " + describe(directory, directory.toString());
            }
        }
        return user + " may not write to " + describe(socket, socket.toString());
    }

    /**
     * A file or directory with its owner, its group and its mode.
     *
     * @param file any file
     * @param name by which the reader knows it
     * @return such as {@code /run/pd/driver.sock (owner 0, group 0, mode rwxr-xr-x)}; the name alone if the attributes
     *     cannot be read
     */
    public static String describe(Path file, String name) {
        try {
            Map<String, Object> attributes = Files.readAttributes(file, "unix:uid,gid,permissions");
            return name + " (owner " + attributes.get("uid") + ", group " + attributes.get("gid") + ", mode "
                    + PosixFilePermissions.toString(permissions((Set<?>) attributes.get("permissions"))) + ")";
        } catch (IOException e) {
            return name;
        }
    }

    private static Set<PosixFilePermission> permissions(Set<?> found) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (Object permission : found) {
            permissions.add((PosixFilePermission) permission);
        }
        return permissions;
    }
}
