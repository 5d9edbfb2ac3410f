// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.fpga;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceProvider;
import io.pipedevice.device.DeviceSettings;
import io.pipedevice.device.guard.GuardedDevice;
import io.pipedevice.device.pci.PciHost;
import io.pipedevice.device.vfio.VfioFunction;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The devices {@code vfio:ADDRESS}: a PD Stack at a PCI address, reached by VFIO, with an emulator standing by. */
public final class FpgaProvider implements DeviceProvider {
    private static final String PREFIX = "vfio:";

    /** Called by the ServiceLoader. */
    public FpgaProvider() {}

    @Override
    public List<String> names() {
        return List.of(PREFIX + "ADDRESS");
    }

    @Override
    public Optional<Device> open(String name, DeviceSettings settings) throws IOException {
        if (!name.startsWith(PREFIX)) {
            return Optional.empty();
        }
        VfioFunction function = VfioFunction.open(new PciHost(), name.substring(PREFIX.length()));
        FpgaDevice device = new FpgaDevice(function, new FpgaDevice.Context().queueDepth(settings.queueDepth()));
        return Optional.of(GuardedDevice.guard(device, settings.timeoutNs()));
    }
}
