// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

/**
 * Receives the sockets that are released, to give back the resources that it keeps for them. Called by the driver's
 * thread.
 */
@FunctionalInterface
public interface EndpointRelease {
    /**
     * A socket is being released.
     *
     * @param endpoint the socket, which no thread uses any more
     */
    void released(Endpoint endpoint);
}
