// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import java.util.Map;

/**
 * The counters of this JVM's TCP connections of java.nio since its start. Registered as {@value #NAME} at the first
 * connection after the JVM's MBean server came up; PipeDevice does not start one.
 */
public interface PipeDeviceMXBean {
    /** Name of the bean. */
    String NAME = "io.pipedevice:type=PipeDevice";

    /**
     * Accelerated connections that are open.
     *
     * @return 0 or more
     */
    long getOpenConnections();

    /**
     * Accelerated connections that this JVM opened.
     *
     * @return those that are open, and those that have ended
     */
    long getConnectedAsClient();

    /**
     * Accelerated connections that this JVM accepted.
     *
     * @return those that are open, and those that have ended
     */
    long getAccepted();

    /**
     * Accelerated connections whose two processes read each other's rings.
     *
     * @return those that this JVM opened or accepted, open or ended
     */
    long getDirectConnections();

    /**
     * Accelerated connections through a driver's device.
     *
     * @return those that this JVM opened or accepted, open or ended
     */
    long getDeviceConnections();

    /**
     * Accelerated connections that were reset because their peers broke the protocol, or this JVM had no memory or
     * descriptors to follow it. The log says how.
     *
     * @return 0 or more; also counted as connected or accepted
     */
    long getProtocolViolations();

    /**
     * Connections on kernel TCP, by reason.
     *
     * @return every reason, with 0 if it has not occurred
     */
    Map<String, Long> getOnKernel();

    /**
     * Bytes that accelerated connections took from the application.
     *
     * @return bytes
     */
    long getBytesSent();

    /**
     * Bytes that accelerated connections gave to the application.
     *
     * @return bytes
     */
    long getBytesReceived();

    /**
     * Memory of the rings that this JVM sends from.
     *
     * @return bytes
     */
    long getRingBytes();

    /**
     * The most memory that the rings may have: {@code pipedevice.rings.max}.
     *
     * @return bytes; 0 before the first connection on rings
     */
    long getRingBudget();

    /**
     * How often a ring did not grow, or was not to be had, because the rings had that memory.
     *
     * @return 0 or more
     */
    long getRingGrowthsRefused();

    /**
     * Writes of non-blocking channels on accelerated connections that found a ring full, and took only part of their
     * bytes.
     *
     * @return 0 or more
     */
    long getWritesCutShort();

    /**
     * Writes of blocking channels on accelerated connections that found a ring full, and waited for their peers to
     * read.
     *
     * @return 0 or more
     */
    long getWritesThatWaited();
}
