// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.linux.UserIds;
import io.pipedevice.protocol.RegionMessage;

/**
 * Rights to a region.
 *
 * @param subject one of {@link RegionMessage}: ANYONE, USER or CONTAINER
 * @param user of subject USER
 * @param container of subject CONTAINER: the beginning of a container ID, or the whole text of {@link Identity#container}
 * @param rights or-ed
 */
public record Grant(int subject, int user, String container, int rights) {
    /** Fewest digits of a container ID. */
    public static final int MIN_DIGITS = 8;

    /** Whether two grants concern the same processes, so that one replaces the other. */
    boolean hasSubjectOf(Grant other) {
        return subject == other.subject && user == other.user && container.equals(other.container);
    }

    /** Whether a process has these rights. */
    boolean covers(Identity process) {
        return switch (subject) {
            case RegionMessage.ANYONE -> true;
            case RegionMessage.USER -> UserIds.isSame(user, process.uid());
            default -> isContainerOf(process);
        };
    }

    private boolean isContainerOf(Identity process) {
        String id = process.controlGroup().containerId();
        return id == null
                ? container.equals(process.container())
                : container.length() >= MIN_DIGITS && id.startsWith(container);
    }
}
