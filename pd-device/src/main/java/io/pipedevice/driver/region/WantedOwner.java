// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.identity.Identity;

/**
 * What a process says of the owner of a region or function that it looks for.
 *
 * @param subject of {@link RegionMessage}: USER, CONTAINER, both or-ed, or ANYONE
 * @param user of subject USER
 * @param container of subject CONTAINER: as of {@link Identity#isInContainer}
 */
public record WantedOwner(int subject, int user, String container) {
    /**
     * Whether the subject is known, and a container is named by enough digits.
     *
     * @return false if no owner can be meant
     */
    boolean isValid() {
        return (subject & ~(RegionMessage.USER | RegionMessage.CONTAINER)) == 0
                && ((subject & RegionMessage.CONTAINER) == 0 || container.length() >= Identity.MIN_DIGITS);
    }

    /**
     * Whether a process may be the one that is meant.
     *
     * @param owner any
     * @return whether user and container fit
     */
    public boolean matches(Identity owner) {
        return ((subject & RegionMessage.USER) == 0 || owner.uid() == user)
                && ((subject & RegionMessage.CONTAINER) == 0 || owner.isInContainer(container));
    }
}
