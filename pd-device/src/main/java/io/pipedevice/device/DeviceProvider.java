// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Creates devices of one kind for a driver, by the names that its option {@code --device} has for them.
 *
 * <p>Implementations are public, have a public constructor without parameters, and are named in
 * {@code META-INF/services/io.pipedevice.device.DeviceProvider}. Only the thread that starts the driver calls them.
 */
public interface DeviceProvider {
    /**
     * The names of this kind, for messages.
     *
     * @return such as {@code vfio:ADDRESS}
     */
    List<String> names();

    /**
     * Creates a device.
     *
     * @param name any name of the option
     * @param settings of the driver
     * @return a device that completes every command, for the caller to close; empty if the name is not of this kind
     * @throws IOException if the device is not there or cannot be used; the message gives the reason
     */
    Optional<Device> open(String name, DeviceSettings settings) throws IOException;

    /**
     * Checks whether one driver can have several devices.
     *
     * @param names all names of the option
     * @return the reason if it cannot, as the end of "allowed: "; empty if it can
     */
    default Optional<String> refusal(List<String> names) {
        return Optional.empty();
    }
}
