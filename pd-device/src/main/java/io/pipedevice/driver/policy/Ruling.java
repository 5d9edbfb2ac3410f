// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.linux.Errno;

/**
 * The decision of a policy about a client and a server.
 *
 * @param path of their data; null if they may not use rings
 * @param errno of a refusal, from which both ends know the reason: EACCES for another user, EPERM for a rule; 0 if they
 *     may connect
 * @param reason for a person, of a refusal; null if they may connect
 * @param regions the rights to regions of the server that the client may have, if the server gives them: bits of {@link
 *     RegionMessage}
 */
public record Ruling(DataPath path, int errno, String reason, int regions) {
    /**
     * Permits connections.
     *
     * @param path of their data
     * @return the ruling
     */
    public static Ruling permit(DataPath path) {
        return permit(path, RegionMessage.ALL);
    }

    /**
     * Permits connections, and some operations on regions.
     *
     * @param path of their data
     * @param regions the rights that the client may have
     * @return the ruling
     */
    public static Ruling permit(DataPath path, int regions) {
        return new Ruling(path, 0, null, regions);
    }

    /**
     * Refuses connections because of the users, which then stay on the kernel.
     *
     * @param reason for a person
     * @return the ruling
     */
    public static Ruling refuseUser(String reason) {
        return new Ruling(null, Errno.EACCES, reason, 0);
    }

    /**
     * Keeps connections on the kernel because of a rule that the administrator has made.
     *
     * @param reason for a person
     * @return the ruling
     */
    public static Ruling refuse(String reason) {
        return new Ruling(null, Errno.EPERM, reason, 0);
    }

    /**
     * Whether the two may connect by rings.
     *
     * @return whether there is a path
     */
    public boolean isPermitted() {
        return path != null;
    }
}
