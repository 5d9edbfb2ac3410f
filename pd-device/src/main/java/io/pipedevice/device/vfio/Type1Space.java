// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.vfio;

import static io.pipedevice.device.vfio.VfioDescriptor.*;

import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.jdk.Foreign;
import io.pipedevice.linux.DeviceFile;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A container with one group in it, and a device of that group: VFIO's type 1 interface. */
final class Type1Space implements DmaSpace {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    /** A range that every IOMMU supports, for kernels before 5.4, which do not report the range. */
    private static final Range NARROWEST = new Range(0, 0xFEDF_FFFFL);

    private final Path container;
    private final Path group;
    private DeviceFile containerFile;
    private DeviceFile groupFile;
    private DeviceFile device;
    private long pageSize;
    private final List<Range> ranges = new ArrayList<>();

    /**
     * Opens a device.
     *
     * @param container /dev/vfio/vfio
     * @param group the group's file
     * @param address of the device
     * @throws IOException if the device cannot be opened; the message gives the reason and the remedy; nothing stays
     *     open
     */
    Type1Space(Path container, Path group, String address) throws IOException {
        this.container = container;
        this.group = group;
        try (Arena arena = Arena.ofConfined()) {
            openContainer();
            openGroup(arena);
            setIommu();
            readInfo(arena);
            MemorySegment name = Foreign.string(arena, address);
            device = DeviceFile.own(groupFile.ioctl("VFIO_GROUP_GET_DEVICE_FD", GROUP_GET_DEVICE_FD, name));
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void openContainer() throws IOException {
        containerFile = open(container, "load the kernel's module: as root, modprobe vfio-pci");
        int version = containerFile.ioctl("VFIO_GET_API_VERSION", GET_API_VERSION, 0);
        if (version != API_VERSION) {
            throw new IOException("the kernel's VFIO has version " + version + ", not " + API_VERSION);
        }
    }

    private void openGroup(Arena arena) throws IOException {
        groupFile = open(group, "bind the device to vfio-pci ('./pipedevice devices' says how)");
        MemorySegment status = struct(arena, GROUP_STATUS_LENGTH);
        groupFile.ioctl("VFIO_GROUP_GET_STATUS", GROUP_GET_STATUS, status);
        if ((status.get(INT, FLAGS_OFFSET) & GROUP_VIABLE) == 0) {
            throw new IOException(
                    "the IOMMU group " + group.getFileName() + " is not viable: a driver of the kernel has"
                            + " another device of it; unbind that too ('./pipedevice devices' says which)");
        }
        int number = containerFile.fd().acquire();
        try {
            groupFile.ioctl("VFIO_GROUP_SET_CONTAINER", GROUP_SET_CONTAINER, Foreign.ints(arena, number));
        } finally {
            containerFile.fd().release();
        }
    }

    private static DeviceFile open(Path file, String ifMissing) throws IOException {
        try {
            return DeviceFile.open(file.toString());
        } catch (LinuxException e) {
            String remedy = switch (e.errno()) {
                case Errno.ENOENT, Errno.ENODEV -> ifMissing;
                case Errno.EACCES, Errno.EPERM ->
                    "this user may not open the file: as root, chown " + System.getProperty("user.name") + ' ' + file;
                case Errno.EBUSY -> "another process, or another device of this driver, uses the group";
                default -> "";
            };
            throw new IOException(file + ": " + e.getMessage() + (remedy.isEmpty() ? "" : ": " + remedy), e);
        }
    }

    private void setIommu() throws IOException {
        int type = containerFile.ioctl("VFIO_CHECK_EXTENSION", CHECK_EXTENSION, TYPE1V2_IOMMU) > 0
                ? TYPE1V2_IOMMU
                : TYPE1_IOMMU;
        try {
            containerFile.ioctl("VFIO_SET_IOMMU", SET_IOMMU, type);
        } catch (LinuxException e) {
            if (e.errno() == Errno.EPERM) {
                throw new IOException(
                        "the IOMMU cannot remap interrupts, so the device could forge them: boot with interrupt"
                                + " remapping (QEMU: -M q35,kernel-irqchip=split -device intel-iommu,intremap=on), or"
                                + " accept that: echo 1 > /sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts",
                        e);
            }
            throw e;
        }
    }

    private void readInfo(Arena arena) throws LinuxException {
        MemorySegment info = struct(arena, IOMMU_INFO_LENGTH);
        containerFile.ioctl("VFIO_IOMMU_GET_INFO", IOMMU_GET_INFO, info);
        int length = info.get(INT, LENGTH_OFFSET);
        if (length > IOMMU_INFO_LENGTH) {
            info = struct(arena, length);
            containerFile.ioctl("VFIO_IOMMU_GET_INFO", IOMMU_GET_INFO, info);
        }
        pageSize = Long.lowestOneBit(info.get(LONG, IOMMU_INFO_PAGE_SIZES_OFFSET));
        if ((info.get(INT, FLAGS_OFFSET) & IOMMU_INFO_FLAG_CAPABILITIES) != 0) {
            int at = info.get(INT, IOMMU_INFO_CAPABILITIES_OFFSET);
            while (at != 0) {
                if (info.get(ValueLayout.JAVA_SHORT, at) == CAPABILITY_IOVA_RANGES) {
                    readRanges(info, at);
                }
                at = info.get(INT, at + CAPABILITY_NEXT_OFFSET);
            }
        }
        if (ranges.isEmpty()) {
            ranges.add(NARROWEST);
        }
    }

    private void readRanges(MemorySegment info, int capability) {
        int count = info.get(INT, capability + CAPABILITY_COUNT_OFFSET);
        for (int i = 0; i < count; i++) {
            int at = capability + CAPABILITY_RANGES_OFFSET + i * RANGE_LENGTH;
            long last = info.get(ValueLayout.JAVA_LONG_UNALIGNED, at + Long.BYTES);
            ranges.add(new Range(info.get(ValueLayout.JAVA_LONG_UNALIGNED, at), last < 0 ? Long.MAX_VALUE : last));
        }
    }

    /** A zeroed structure that begins with its length. */
    static MemorySegment struct(Arena arena, int length) {
        MemorySegment struct = arena.allocate(length, Long.BYTES);
        struct.set(INT, LENGTH_OFFSET, length);
        return struct;
    }

    @Override
    public DeviceFile device() {
        return device;
    }

    @Override
    public long pageSize() {
        return pageSize;
    }

    @Override
    public List<Range> ranges() {
        return ranges;
    }

    @Override
    public void map(long iova, MemorySegment memory, Access access) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment map = struct(arena, MAP_LENGTH);
            map.set(INT, FLAGS_OFFSET, access == Access.READ ? MAP_FLAG_READ : MAP_FLAG_WRITE);
            map.set(LONG, MAP_MEMORY_OFFSET, memory.address());
            map.set(LONG, MAP_IOVA_OFFSET, iova);
            map.set(LONG, MAP_SIZE_OFFSET, memory.byteSize());
            containerFile.ioctl("VFIO_IOMMU_MAP_DMA", IOMMU_MAP_DMA, map);
        }
    }

    @Override
    public void unmap(long iova, long length) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment unmap = struct(arena, UNMAP_LENGTH);
            unmap.set(LONG, UNMAP_IOVA_OFFSET, iova);
            unmap.set(LONG, UNMAP_SIZE_OFFSET, length);
            containerFile.ioctl("VFIO_IOMMU_UNMAP_DMA", IOMMU_UNMAP_DMA, unmap);
        }
    }

    @Override
    public void close() {
        for (DeviceFile file : new DeviceFile[] {device, groupFile, containerFile}) {
            if (file != null) {
                file.close();
            }
        }
    }
}
