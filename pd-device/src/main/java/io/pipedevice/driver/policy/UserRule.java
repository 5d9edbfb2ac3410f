// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

/** Permits by the effective users of the two processes, and gives all connections the same path. */
public final class UserRule implements Policy {
    private static final Ruling OTHER_USER = Ruling.refuseUser("the other end belongs to another user");

    private final boolean anyUser;
    private final Ruling permit;

    /**
     * Creates a rule.
     *
     * @param anyUser whether processes of different users may connect
     * @param path of all connections
     */
    public UserRule(boolean anyUser, DataPath path) {
        this.anyUser = anyUser;
        this.permit = Ruling.permit(path);
    }

    @Override
    public Ruling rule(Party client, Party server) {
        return anyUser || client.identity().isSameUser(server.identity()) ? permit : OTHER_USER;
    }

    @Override
    public boolean isFixed() {
        return permit.path() == DataPath.DIRECT;
    }
}
