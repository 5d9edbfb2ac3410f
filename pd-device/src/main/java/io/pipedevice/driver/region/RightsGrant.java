// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.linux.UserIds;

/**
 * Rights to a region.
 *
 * @param subject one of {@link RegionMessage}: ANYONE, USER or CONTAINER
 * @param user of subject USER
 * @param container of subject CONTAINER: as of {@link Identity#isInContainer}
 * @param rights or-ed
 */
record RightsGrant(int subject, int user, String container, int rights) {
    /** Whether two grants concern the same processes, so that one replaces the other. */
    boolean hasSubjectOf(RightsGrant other) {
        return subject == other.subject && user == other.user && container.equals(other.container);
    }

    /** Whether a process has these rights. */
    boolean covers(Identity process) {
        return switch (subject) {
            case RegionMessage.ANYONE -> true;
            case RegionMessage.USER -> UserIds.isSame(user, process.uid());
            default -> process.isInContainer(container);
        };
    }
}
