// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.protocol.ContainerName;

/**
 * Rights that the owner of a region or function gives to other processes, as far as the driver's policy lets these
 * connect to the owner. Immutable.
 */
public final class Grant {
    private final int subject;
    private final int user;
    private final String container;
    private final int rights;

    private Grant(int subject, int user, String container, Right... rights) {
        this.subject = subject;
        this.user = user;
        this.container = ContainerName.of(container);
        this.rights = Right.bits(rights);
    }

    /**
     * Rights of every process that the policy lets connect to the owner.
     *
     * @param rights none withdraws those that were given
     * @return the grant
     */
    public static Grant anyone(Right... rights) {
        return new Grant(RegionMessage.ANYONE, 0, "", rights);
    }

    /**
     * Rights of the processes of a user.
     *
     * @param uid number of the user
     * @param rights none withdraws those that were given
     * @return the grant
     */
    public static Grant user(int uid, Right... rights) {
        return new Grant(RegionMessage.USER, uid, "", rights);
    }

    /**
     * Rights of the processes of a container.
     *
     * @param id of the container, as of {@link Owner#container}
     * @param rights none withdraws those that were given
     * @return the grant
     */
    public static Grant container(String id, Right... rights) {
        return new Grant(RegionMessage.CONTAINER, 0, id, rights);
    }

    void write(RegionMessage message) {
        message.subject(subject, user).rights(rights).text(container);
    }
}
