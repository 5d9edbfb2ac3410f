// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

/** A part of a process that has something to do in turns. Belongs to the driver's thread. */
public interface TurnTaker {
    /**
     * Does what can be done in a turn. It is not among those that want a turn any more.
     *
     * @param nowNs the time
     * @return what it needs next
     */
    Need turn(long nowNs);

    /** Records that it is among those that want a turn again. */
    void activated();

    /**
     * The number of copies that the last turn submitted to the device.
     *
     * @return 0 or more
     */
    int submitted();
}
