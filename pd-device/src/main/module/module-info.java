// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * PD Driver, and the devices that copy for it. Programs that embed a driver begin with
 * {@link io.pipedevice.driver.PipeDeviceDriver}. A device of another kind implements
 * {@link io.pipedevice.device.DeviceProvider} and {@link io.pipedevice.device.Device}.
 *
 * <p>The JVM needs {@code --enable-native-access=io.pipedevice.lib}, with a GPU {@code ,io.pipedevice.device} behind
 * it, and {@code --add-exports java.base/jdk.internal.misc=org.agrona} for Agrona.
 */
module io.pipedevice.device {
    requires transitive io.pipedevice.lib;
    requires io.pipedevice.active;
    requires org.agrona;
    requires org.snakeyaml.engine;

    exports io.pipedevice.device;
    exports io.pipedevice.driver;
    exports io.pipedevice.driver.policy;
    exports io.pipedevice.driver.policy.file;
    exports io.pipedevice.driver.identity;

    // Not for programs: what the other modules of PipeDevice have in common with this one.
    exports io.pipedevice.device.cuda to
            io.pipedevice.tool;
    exports io.pipedevice.device.fpga to
            io.pipedevice.device.model;
    exports io.pipedevice.device.guard to
            io.pipedevice.device.model;
    exports io.pipedevice.device.pci to
            io.pipedevice.device.model,
            io.pipedevice.tool;
    exports io.pipedevice.device.vfio to
            io.pipedevice.device.model;
    exports io.pipedevice.driver.account to
            io.pipedevice.tool;
    exports io.pipedevice.driver.share to
            io.pipedevice.tool;

    uses io.pipedevice.device.DeviceProvider;

    provides io.pipedevice.device.DeviceProvider with
            io.pipedevice.device.cuda.CudaProvider,
            io.pipedevice.device.emulator.EmulatorProvider,
            io.pipedevice.device.fpga.FpgaProvider;
}
