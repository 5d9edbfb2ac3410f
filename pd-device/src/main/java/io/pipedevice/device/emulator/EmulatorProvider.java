// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceProvider;
import io.pipedevice.device.DeviceSettings;
import java.util.List;
import java.util.Optional;

/** The device {@code emulator}, a {@link DmaEmulator}. */
public final class EmulatorProvider implements DeviceProvider {
    /** The name of the emulator. */
    public static final String NAME = "emulator";

    /** Called by the ServiceLoader. */
    public EmulatorProvider() {}

    @Override
    public List<String> names() {
        return List.of(NAME);
    }

    @Override
    public Optional<Device> open(String name, DeviceSettings settings) {
        return name.equals(NAME)
                ? Optional.of(new DmaEmulator(new DmaEmulator.Context()
                        .lanes(settings.lanes())
                        .maxTransfer(settings.maxTransfer())
                        .queueDepth(settings.queueDepth())))
                : Optional.empty();
    }
}
