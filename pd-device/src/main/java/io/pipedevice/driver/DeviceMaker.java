// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.device.Device;
import io.pipedevice.device.cuda.CudaDevice;
import io.pipedevice.device.edu.EduDevice;
import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.device.fpga.FpgaDevice;
import io.pipedevice.device.guard.DeviceGroup;
import io.pipedevice.device.guard.GuardedDevice;
import io.pipedevice.device.model.FpgaModel;
import io.pipedevice.device.pci.PciHost;
import io.pipedevice.device.vfio.VfioFunction;
import io.pipedevice.property.SystemProperty;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Creates devices by the names that the driver's configuration has for them. Not thread safe. */
public final class DeviceMaker {
    static final String EMULATOR = "emulator";
    private static final String MODEL = "model";
    private static final String VFIO = "vfio:";
    private static final String CUDA = "cuda:";
    private static final String COPY_ENGINES = "/engines";

    private final int lanes;
    private final int maxTransfer;
    private final int queueDepth;
    private final long timeoutNs;

    /**
     * Parameters of the devices.
     *
     * @param lanes of emulators, models and GPUs, 1 to 256
     * @param maxTransfer longest copy of one command of these, in bytes, 4 KB to 1 MB
     * @param queueDepth commands of a lane, a power of two, 2 to 65536
     * @param timeoutNs how long a device may complete nothing before it is reset, in nanoseconds
     */
    public DeviceMaker(int lanes, int maxTransfer, int queueDepth, long timeoutNs) {
        this.lanes = lanes;
        this.maxTransfer = maxTransfer;
        this.queueDepth = queueDepth;
        this.timeoutNs = timeoutNs;
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
        if (list.stream().filter(name -> name.startsWith(CUDA)).count() > 1) {
            throw SystemProperty.refused(
                    DriverContext.DEVICE_PROP_NAME, names, "one GPU at most, because CUDA registers memory only once");
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
        if (name.equals(EMULATOR)) {
            return new DmaEmulator(new DmaEmulator.Context()
                    .lanes(lanes)
                    .maxTransfer(maxTransfer)
                    .queueDepth(queueDepth));
        }
        if (name.equals(MODEL)) {
            FpgaModel model = new FpgaModel(new FpgaModel.Context()
                    .lanes(lanes)
                    .maxTransfer(maxTransfer)
                    .queueDepth(queueDepth));
            return guarded(new FpgaDevice(model, new FpgaDevice.Context()));
        }
        if (name.startsWith(VFIO)) {
            return guarded(vfio(name.substring(VFIO.length())));
        }
        if (name.startsWith(CUDA)) {
            return guarded(cuda(name));
        }
        throw refused(name);
    }

    private static IllegalArgumentException refused(String name) {
        return SystemProperty.refused(
                DriverContext.DEVICE_PROP_NAME,
                name,
                EMULATOR + ", " + MODEL + ", " + VFIO + "ADDRESS, " + CUDA + "NUMBER or " + CUDA + "NUMBER"
                        + COPY_ENGINES);
    }

    private Device cuda(String name) throws IOException {
        boolean engines = name.endsWith(COPY_ENGINES);
        int end = name.length() - (engines ? COPY_ENGINES.length() : 0);
        int index;
        try {
            index = Integer.parseInt(name.substring(CUDA.length(), end));
        } catch (NumberFormatException e) {
            throw refused(name);
        }
        return new CudaDevice(
                index,
                new CudaDevice.Context()
                        .lanes(lanes)
                        .maxTransfer(maxTransfer)
                        .queueDepth(queueDepth)
                        .engine(engines ? CudaDevice.Engine.COPY_ENGINES : CudaDevice.Engine.KERNEL)
                        .library(System.getProperty(DriverContext.CUDA_LIBRARY_PROP_NAME)));
    }

    private Device vfio(String address) throws IOException {
        PciHost host = new PciHost();
        boolean edu = EduDevice.isOne(host.slot(address));
        VfioFunction function = VfioFunction.open(host, address);
        return edu
                ? new EduDevice(function)
                : new FpgaDevice(function, new FpgaDevice.Context().queueDepth(queueDepth));
    }

    private Device guarded(Device device) {
        try {
            return new GuardedDevice(device, timeoutNs);
        } catch (RuntimeException | Error e) {
            device.close();
            throw e;
        }
    }
}
