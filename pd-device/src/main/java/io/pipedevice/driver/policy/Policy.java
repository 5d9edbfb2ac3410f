// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

import io.pipedevice.driver.identity.Identity;

/** Says which processes may connect to each other, and what a container may use. Belongs to the driver's thread. */
@FunctionalInterface
public interface Policy extends PairRule {
    /**
     * How many rules it has.
     *
     * @return 0 if it is no list of rules
     */
    default int size() {
        return 0;
    }

    /**
     * The limits of the container to which a process belongs ({@link Identity#container}).
     *
     * @param process any
     * @return the limits, which may change from call to call
     */
    default Limits limits(Identity process) {
        return Limits.NONE;
    }
}
