// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

/**
 * Where PD Lib finds a PD Driver: a directory with the socket of a driver process, or a driver in the same process.
 * Programs pass it to {@link PipeDevice#init(DriverEndpoint, PdOptions)}. Thread safe.
 */
public interface DriverEndpoint {
    /**
     * Attaches this process to the driver.
     *
     * @param options sizes and limits
     * @return the attachment, for the caller to close
     * @throws PdException if there is no driver, it refuses, it is of another version, or memory or descriptors are
     *     exhausted
     */
    PipeDevice attach(PdOptions options) throws PdException;
}
