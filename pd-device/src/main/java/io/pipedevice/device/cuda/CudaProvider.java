// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceProvider;
import io.pipedevice.device.DeviceSettings;
import io.pipedevice.device.guard.GuardedDevice;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The devices {@code cuda:NUMBER} and {@code cuda:NUMBER/engines}: a GPU, with an emulator standing by. */
public final class CudaProvider implements DeviceProvider {
    /** The property with the file of NVIDIA's library; by default the system's linker finds it. */
    public static final String LIBRARY_PROP_NAME = "pipedevice.driver.cuda.library";

    private static final String PREFIX = "cuda:";
    private static final String COPY_ENGINES = "/engines";

    /** Called by the ServiceLoader. */
    public CudaProvider() {}

    @Override
    public List<String> names() {
        return List.of(PREFIX + "NUMBER", PREFIX + "NUMBER" + COPY_ENGINES);
    }

    @Override
    public Optional<Device> open(String name, DeviceSettings settings) throws IOException {
        if (!name.startsWith(PREFIX)) {
            return Optional.empty();
        }
        boolean engines = name.endsWith(COPY_ENGINES);
        int end = name.length() - (engines ? COPY_ENGINES.length() : 0);
        int index;
        try {
            index = Integer.parseInt(name.substring(PREFIX.length(), end));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
        CudaDevice device = new CudaDevice(
                index,
                new CudaDevice.Context()
                        .lanes(settings.lanes())
                        .maxTransfer(settings.maxTransfer())
                        .queueDepth(settings.queueDepth())
                        .engine(engines ? CudaDevice.Engine.COPY_ENGINES : CudaDevice.Engine.KERNEL)
                        .library(System.getProperty(LIBRARY_PROP_NAME)));
        return Optional.of(GuardedDevice.guard(device, settings.timeoutNs()));
    }

    @Override
    public Optional<String> refusal(List<String> names) {
        return names.stream().filter(name -> name.startsWith(PREFIX)).count() > 1
                ? Optional.of("one GPU at most, because CUDA registers memory only once")
                : Optional.empty();
    }
}
