// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.model;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceProvider;
import io.pipedevice.device.DeviceSettings;
import io.pipedevice.device.fpga.FpgaDevice;
import io.pipedevice.device.guard.GuardedDevice;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The device {@code model}: an FPGA in software, with an emulator standing by. */
public final class ModelProvider implements DeviceProvider {
    private static final String NAME = "model";

    /** Called by the ServiceLoader. */
    public ModelProvider() {}

    @Override
    public List<String> names() {
        return List.of(NAME);
    }

    @Override
    public Optional<Device> open(String name, DeviceSettings settings) throws IOException {
        if (!name.equals(NAME)) {
            return Optional.empty();
        }
        FpgaModel model = new FpgaModel(new FpgaModel.Context()
                .lanes(settings.lanes())
                .maxTransfer(settings.maxTransfer())
                .queueDepth(settings.queueDepth()));
        return Optional.of(GuardedDevice.guard(new FpgaDevice(model, new FpgaDevice.Context()), settings.timeoutNs()));
    }
}
