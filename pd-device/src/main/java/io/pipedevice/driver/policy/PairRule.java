// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

/** Says which processes may connect to each other. Belongs to the driver's thread. */
@FunctionalInterface
public interface PairRule {
    /**
     * Rules on connections of one process to another. May be asked for each connection, so it does not wait.
     *
     * @param client the process that connects
     * @param server the process that listens
     * @return the ruling, which may change from call to call
     */
    Ruling rule(Party client, Party server);

    /**
     * Whether two processes that were permitted to connect need not ask again: no ruling changes, and all that is
     * permitted is direct.
     *
     * @return the same at each call
     */
    default boolean isFixed() {
        return false;
    }
}
