// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.test.DirectLines;
import io.pipedevice.test.Floors;
import org.junit.jupiter.api.Test;

/** {@link Floors} and {@link DirectLines} of pd-device. */
class PackagesTest {
    @Test
    void aPackageDependsOnlyOnThoseBelowIt() {
        new Floors("io.pipedevice.device", "io.pipedevice.driver")
                .then("io.pipedevice.device")
                .then("io.pipedevice.device.emulator", "io.pipedevice.device.pci")
                .then("io.pipedevice.device.guard", "io.pipedevice.device.vfio")
                .then("io.pipedevice.device.cuda", "io.pipedevice.device.fpga")
                .then("io.pipedevice.driver.share")
                .then("io.pipedevice.driver.account")
                .then("io.pipedevice.driver.identity")
                .then("io.pipedevice.driver.policy")
                .then("io.pipedevice.driver.policy.file")
                .then("io.pipedevice.driver.data")
                .then("io.pipedevice.driver.control")
                .then("io.pipedevice.driver.introduction", "io.pipedevice.driver.extension")
                .then("io.pipedevice.driver.region")
                .then("io.pipedevice.driver.function", "io.pipedevice.driver.socket")
                .then("io.pipedevice.driver")
                .check();
    }

    @Test
    void linesThatAnotherProcessCanCauseAreLimited() {
        new DirectLines("io.pipedevice.device", "io.pipedevice.driver")
                .because(
                        "a start or an end of the driver",
                        "driver.LockedDirectory",
                        "driver.PipeDeviceDriver",
                        "driver.identity.Routes")
                .because("a level for LimitedLog", "driver.DriverContext", "device.emulator.EngineThread")
                .because("once in a driver's life", "driver.introduction.Questions")
                .because("a file that its operator has changed", "driver.policy.file.PolicySource")
                .because("a file of the driver's own, once in a failure", "driver.account.AccountStore")
                .because(
                        "a fault of the device, at most one in each timeout, or the device is taken out of service",
                        "driver.data.DeviceWatch",
                        "device.guard.GuardedDevice",
                        "device.fpga.FpgaDevice",
                        "device.fpga.FpgaRegisters",
                        "device.vfio.VfioFunction",
                        "device.cuda.CudaDevice")
                .check();
    }
}
