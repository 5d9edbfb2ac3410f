// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.edu;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceProvider;
import io.pipedevice.device.DeviceSettings;
import io.pipedevice.device.guard.GuardedDevice;
import io.pipedevice.device.pci.PciHost;
import io.pipedevice.device.vfio.VfioFunction;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The devices {@code edu:ADDRESS}: QEMU's edu at a PCI address, reached by VFIO, with an emulator standing by. */
public final class EduProvider implements DeviceProvider {
    private static final String PREFIX = "edu:";

    /** Called by the ServiceLoader. */
    public EduProvider() {}

    @Override
    public List<String> names() {
        return List.of(PREFIX + "ADDRESS");
    }

    @Override
    public Optional<Device> open(String name, DeviceSettings settings) throws IOException {
        if (!name.startsWith(PREFIX)) {
            return Optional.empty();
        }
        String address = name.substring(PREFIX.length());
        PciHost host = new PciHost();
        if (!EduDevice.isOne(host.slot(address))) {
            throw new IOException("the PCI function at " + address + " is not QEMU's edu");
        }
        return Optional.of(GuardedDevice.guard(new EduDevice(VfioFunction.open(host, address)), settings.timeoutNs()));
    }
}
