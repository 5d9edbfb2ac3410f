// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import javax.management.MXBean;

/** The MBean of a {@link JmxSource}. It is public because JMX refuses other interfaces. */
@MXBean
public interface JmxNoise {
    /**
     * Answers with the message itself.
     *
     * @param message any bytes
     * @return the same bytes
     */
    byte[] echo(byte[] message);

    /**
     * Sends notifications, each with the digest of the noise of its number.
     *
     * @param count the last number; the first is 1
     */
    void sendNotifications(int count);
}
