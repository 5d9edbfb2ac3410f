// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixDatagram;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reports the state of this process to the service manager that started it, by the protocol of sd_notify(3). Without a
 * service manager it does nothing. Thread safe.
 */
final class ServiceManager {
    /** The variable with the address of the manager's socket: a path, or @ and an abstract name. */
    static final String VARIABLE = "NOTIFY_SOCKET";

    static final String READY = "READY=1";
    static final String STOPPING = "STOPPING=1";

    private static final System.Logger LOG = new LazyLogger(ServiceManager.class).get();

    /** Null without a service manager. */
    private final String address;

    /** @param address the value of {@link #VARIABLE}; null if it is not set */
    ServiceManager(String address) {
        this.address = address == null || address.isEmpty() ? null : address;
    }

    /** Reports a state. A failure is logged: the manager then ends the service after its own timeout. */
    void report(String state) {
        if (address == null) {
            return;
        }
        try {
            UnixDatagram.send(unixAddress(), state.getBytes(StandardCharsets.US_ASCII));
        } catch (LinuxException | IllegalArgumentException e) {
            LOG.log(Level.WARNING, "{0} = {1}: cannot report {2}: {3}", VARIABLE, address, state, e.getMessage());
        }
    }

    private UnixAddress unixAddress() {
        return address.startsWith("@")
                ? UnixAddress.abstractName(address.substring(1))
                : UnixAddress.path(Path.of(address));
    }
}
