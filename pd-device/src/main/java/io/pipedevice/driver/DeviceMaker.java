// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceProvider;
import io.pipedevice.device.DeviceSettings;
import io.pipedevice.device.guard.DeviceGroup;
import io.pipedevice.property.SystemProperty;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Creates devices by the names that the driver's configuration has for them. Not thread safe. */
public final class DeviceMaker {
    private final List<DeviceProvider> providers =
            ServiceLoader.load(DeviceProvider.class, DeviceMaker.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
    private final DeviceSettings settings;

    /**
     * Finds the kinds of devices that the class path has.
     *
     * @param settings of the devices
     */
    public DeviceMaker(DeviceSettings settings) {
        this.settings = settings;
    }

    /**
     * Creates one device from names separated by commas.
     *
     * @param names as the driver's property takes them
     * @return a device that completes every command, for the caller to close
     * @throws IOException if a device is not there or cannot be used; the message gives the reason
     * @throws IllegalArgumentException if there is no such name
     */
    public Device make(String names) throws IOException {
        List<String> list =
                Arrays.stream(names.split(",", -1)).map(String::strip).toList();
        for (DeviceProvider provider : providers) {
            Optional<String> refusal = provider.refusal(list);
            if (refusal.isPresent()) {
                throw SystemProperty.refused(DriverOption.DEVICE.property(), names, refusal.get());
            }
        }
        List<Device> devices = new ArrayList<>();
        try {
            for (String name : list) {
                devices.add(makeOne(name));
            }
        } catch (IOException | RuntimeException e) {
            devices.forEach(Device::close);
            throw e;
        }
        return devices.size() == 1 ? devices.getFirst() : new DeviceGroup(devices);
    }

    private Device makeOne(String name) throws IOException {
        for (DeviceProvider provider : providers) {
            Optional<Device> device = provider.open(name, settings);
            if (device.isPresent()) {
                return device.get();
            }
        }
        String allowed = providers.stream()
                .flatMap(provider -> provider.names().stream())
                .sorted()
                .collect(Collectors.joining(", "));
        throw SystemProperty.refused(DriverOption.DEVICE.property(), name, allowed);
    }
}
