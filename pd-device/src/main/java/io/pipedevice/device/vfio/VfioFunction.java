// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.vfio;

import static io.pipedevice.device.vfio.VfioDescriptor.*;

import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.device.pci.PciFunction;
import io.pipedevice.device.pci.PciHost;
import io.pipedevice.device.pci.PciSlot;
import io.pipedevice.linux.DeviceFile;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * A PCI function that the kernel's vfio-pci gives to this process. However the process ends, the kernel then releases
 * everything that the function holds, including mappings and interrupts.
 */
public final class VfioFunction implements PciFunction {
    private static final System.Logger LOG = new LazyLogger(VfioFunction.class).get();

    private final String address;
    private final DmaSpace space;
    private final boolean canReset;
    private VfioRegisters registers;
    private VfioInterrupts interrupts;
    private long mapped;
    private int mappings;
    private boolean closed;

    /**
     * Opens a function, as a bus master.
     *
     * @param host the machine that has it
     * @param address such as {@code 0000:00:03.0}
     * @return the function, which the caller closes
     * @throws IOException if it cannot be opened; the message gives the reason and the remedy
     */
    public static VfioFunction open(PciHost host, String address) throws IOException {
        PciSlot slot = host.slot(address);
        List<String> obstacles = host.obstacles(slot);
        if (!obstacles.isEmpty()) {
            throw new IOException("PCI function " + address + " cannot be used: " + String.join("; and ", obstacles));
        }
        Path own = host.deviceFile(slot);
        DmaSpace space = Files.exists(host.groupFile(slot)) || own == null
                ? new Type1Space(host.containerFile(), host.groupFile(slot), address)
                : new IommufdSpace(host.iommuFile(), own);
        try {
            return new VfioFunction(address, space);
        } catch (IOException | RuntimeException e) {
            space.close();
            throw e;
        }
    }

    private VfioFunction(String address, DmaSpace space) throws IOException {
        this.address = address;
        this.space = space;
        canReset = readInfo(space.device());
        try {
            registers = new VfioRegisters(space.device());
            interrupts = new VfioInterrupts(space.device());
            registers.command(true);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private static boolean readInfo(DeviceFile device) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = Type1Space.struct(arena, DEVICE_INFO_LENGTH);
            device.ioctl("VFIO_DEVICE_GET_INFO", DEVICE_GET_INFO, info);
            int flags = info.get(ValueLayout.JAVA_INT, FLAGS_OFFSET);
            if ((flags & DEVICE_FLAG_PCI) == 0) {
                throw new IOException("the device that VFIO opened is not a PCI device");
            }
            return (flags & DEVICE_FLAG_RESET) != 0;
        }
    }

    @Override
    public String name() {
        return address;
    }

    @Override
    public int registersLength() {
        return registers.length();
    }

    @Override
    public int read(int offset) {
        return registers.read(offset);
    }

    @Override
    public void write(int offset, int value) {
        registers.write(offset, value);
    }

    @Override
    public int vectors() {
        return interrupts.count();
    }

    @Override
    public void onInterrupt(IntConsumer handler) throws IOException {
        interrupts.enable(handler);
    }

    @Override
    public boolean pinsMemory() {
        return true;
    }

    @Override
    public long pageSize() {
        return space.pageSize();
    }

    @Override
    public long firstAddress() {
        return Math.max(space.ranges().getFirst().first(), pageSize());
    }

    @Override
    public long lastAddress() {
        return space.ranges().getLast().last();
    }

    /** The addresses between the ranges that may be mapped are reserved. */
    @Override
    public long reservedUntil(long first, long length) {
        for (DmaSpace.Range range : space.ranges()) {
            if (first < range.first()) {
                return range.first();
            }
            if (first <= range.last() && first + length - 1 <= range.last()) {
                return 0;
            }
        }
        return 0;
    }

    @Override
    public void map(long iova, MemorySegment memory, Access access) throws IOException {
        try {
            space.map(iova, memory, access);
        } catch (LinuxException e) {
            throw new IOException(
                    memory.byteSize() + " bytes of memory cannot be mapped for device " + address + ": " + explain(e),
                    e);
        }
        mappings++;
        mapped += memory.byteSize();
    }

    private String explain(LinuxException e) throws IOException {
        long limit = ProcessFacts.lockedMemoryLimit(0);
        return switch (e.errno()) {
            case Errno.ENOMEM ->
                limit == Long.MAX_VALUE
                        ? "the system does not have enough memory"
                        : "with " + mapped + " bytes mapped already, it exceeds this process's locked memory limit of "
                                + limit + " bytes: raise it (ulimit -l unlimited, or LimitMEMLOCK=infinity in a unit of"
                                + " systemd), or lower --max-memory";
            case Errno.ENOSPC ->
                "it has " + mappings + " mappings, which is the limit: raise"
                        + " /sys/module/vfio_iommu_type1/parameters/dma_entry_limit, or use fewer and larger rings";
            default -> e.getMessage();
        };
    }

    @Override
    public void unmap(long iova, long length) {
        try {
            space.unmap(iova, length);
            mappings--;
            mapped -= length;
        } catch (LinuxException e) {
            // Memory must not be freed while the device can reach it.
            LOG.log(Level.ERROR, "device {0} is closed: memory cannot be unmapped: {1}", address, e.getMessage());
            close();
        }
    }

    @Override
    public void busMastering(boolean on) throws IOException {
        registers.command(on);
    }

    @Override
    public void reset() throws IOException {
        if (!canReset) {
            throw new IOException("the function " + address + " supports no reset by PCI");
        }
        interrupts.mask();
        try {
            space.device().ioctl("VFIO_DEVICE_RESET", DEVICE_RESET, 0);
            registers.command(true);
        } finally {
            interrupts.unmask();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (interrupts != null) {
            interrupts.close();
        }
        if (registers != null) {
            endDma();
            registers.close();
        }
        space.close();
    }

    private void endDma() {
        try {
            registers.command(false);
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "DMA of device {0} was not disabled: {1}", address, e.getMessage());
        }
    }

    @Override
    public String toString() {
        return "VfioFunction{" + address + ", " + mappings + " mappings of " + mapped + " bytes}";
    }
}
