// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.protocol.ContainerName;
import java.util.Objects;

/**
 * Says whose region or function is meant by a name: that of any owner, of a user, of a container, or of a user in a
 * container. The driver has the user and the container of each process from the kernel. Immutable.
 */
public final class Owner {
    private static final Owner ANYONE = new Owner(RegionMessage.ANYONE, 0, "");

    private final int subject;
    private final int user;
    private final String container;

    private Owner(int subject, int user, String container) {
        this.subject = subject;
        this.user = user;
        this.container = ContainerName.of(container);
    }

    /**
     * Any owner, also another one than that of which this process has found the name before.
     *
     * @return the owner
     */
    public static Owner anyone() {
        return ANYONE;
    }

    /**
     * A user, in any container.
     *
     * @param uid number of the user
     * @return the owner
     */
    public static Owner user(int uid) {
        return new Owner(RegionMessage.USER, uid, "");
    }

    /**
     * A container, with any user.
     *
     * @param id of the container, or at least eight digits of its beginning; of processes without an ID what
     *     {@link RemoteRegion#ownerContainer} or the driver's accounts say
     * @return the owner
     */
    public static Owner container(String id) {
        return new Owner(RegionMessage.CONTAINER, 0, id);
    }

    /**
     * A user in a container.
     *
     * @param uid number of the user
     * @param id as of {@link #container}
     * @return the owner
     */
    public static Owner of(int uid, String id) {
        return new Owner(RegionMessage.USER | RegionMessage.CONTAINER, uid, id);
    }

    /** Writes the name and whose it is. */
    void write(RegionMessage request, String name) {
        request.subject(subject, user).texts(name, container);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Owner owner
                && subject == owner.subject
                && user == owner.user
                && container.equals(owner.container);
    }

    @Override
    public int hashCode() {
        return Objects.hash(subject, user, container);
    }

    @Override
    public String toString() {
        String byUser = "user " + Integer.toUnsignedString(user);
        String byContainer = "container " + ContainerName.shown(container);
        return switch (subject) {
            case RegionMessage.ANYONE -> "anyone";
            case RegionMessage.USER -> byUser;
            case RegionMessage.CONTAINER -> byContainer;
            default -> byUser + " in " + byContainer;
        };
    }
}
