// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

/**
 * What a policy says of a client and a server.
 *
 * @param path of their data; null if they may not connect by rings
 * @param reason why they may not; null if they may
 */
public record Ruling(DataPath path, String reason) {
    /**
     * Permits connections.
     *
     * @param path of their data
     * @return the ruling
     */
    public static Ruling permit(DataPath path) {
        return new Ruling(path, null);
    }

    /**
     * Refuses connections, which then stay on the kernel.
     *
     * @param reason for a person
     * @return the ruling
     */
    public static Ruling refuse(String reason) {
        return new Ruling(null, reason);
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
