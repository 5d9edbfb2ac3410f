// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.vfio;

import static io.pipedevice.device.vfio.VfioDescriptor.*;

import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.linux.DeviceFile;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A device's own file, attached to an address space of iommufd: for kernels that are built without VFIO's groups.
 *
 * <pre>
 *  bind          0 argsz  4 flags     8 iommufd   12 device id
 *  attach        0 argsz  4 flags     8 address space id
 *  allocate      0 size   4 flags     8 address space id
 *  ranges        0 size   4 space id  8 count     16 ranges (64)   24 alignment (64)
 *  map           0 size   4 flags     8 space id  16 memory (64)   24 length (64)   32 iova (64)
 *  unmap         0 size   4 space id  8 iova (64) 16 length (64)
 * </pre>
 */
final class IommufdSpace implements DmaSpace {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int MOST_RANGES = 64;
    private static final int FLAG_FIXED = 1;
    private static final int FLAG_WRITEABLE = 2;
    private static final int FLAG_READABLE = 4;

    private DeviceFile iommu;
    private DeviceFile device;
    private int id;
    private long pageSize;
    private final List<Range> ranges = new ArrayList<>();

    /**
     * Opens a device.
     *
     * @param iommuFile /dev/iommu
     * @param deviceFile the device's own
     * @throws IOException if the device cannot be opened; the message gives the reason; nothing stays open
     */
    IommufdSpace(Path iommuFile, Path deviceFile) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            iommu = DeviceFile.open(iommuFile.toString());
            device = DeviceFile.open(deviceFile.toString());
            bind(arena);
            MemorySegment allocate = Type1Space.struct(arena, 12);
            iommu.ioctl("IOMMU_IOAS_ALLOC", IOMMU_IOAS_ALLOC, allocate);
            id = allocate.get(INT, 8);
            MemorySegment attach = Type1Space.struct(arena, 12);
            attach.set(INT, 8, id);
            device.ioctl("VFIO_DEVICE_ATTACH_IOMMUFD_PT", DEVICE_ATTACH_IOMMUFD_PT, attach);
            readRanges(arena);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void bind(Arena arena) throws LinuxException {
        MemorySegment bind = Type1Space.struct(arena, 16);
        bind.set(INT, 8, iommu.fd().acquire());
        try {
            device.ioctl("VFIO_DEVICE_BIND_IOMMUFD", DEVICE_BIND_IOMMUFD, bind);
        } finally {
            iommu.fd().release();
        }
    }

    private void readRanges(Arena arena) throws LinuxException {
        MemorySegment list = arena.allocate(MOST_RANGES * RANGE_LENGTH, Long.BYTES);
        MemorySegment request = Type1Space.struct(arena, 32);
        request.set(INT, 4, id);
        request.set(INT, 8, MOST_RANGES);
        request.set(LONG, 16, list.address());
        iommu.ioctl("IOMMU_IOAS_IOVA_RANGES", IOMMU_IOAS_IOVA_RANGES, request);
        pageSize = Math.max(Memory.pageSize(), request.get(LONG, 24));
        for (int i = 0; i < request.get(INT, 8); i++) {
            long last = list.get(LONG, i * RANGE_LENGTH + Long.BYTES);
            ranges.add(new Range(list.get(LONG, (long) i * RANGE_LENGTH), last < 0 ? Long.MAX_VALUE : last));
        }
        if (ranges.isEmpty()) {
            throw new LinuxException("IOMMU_IOAS_IOVA_RANGES", Errno.EINVAL, "the IOMMU offers no addresses");
        }
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
            MemorySegment map = Type1Space.struct(arena, 40);
            map.set(INT, 4, FLAG_FIXED | (access == Access.READ ? FLAG_READABLE : FLAG_WRITEABLE));
            map.set(INT, 8, id);
            map.set(LONG, 16, memory.address());
            map.set(LONG, 24, memory.byteSize());
            map.set(LONG, 32, iova);
            iommu.ioctl("IOMMU_IOAS_MAP", IOMMU_IOAS_MAP, map);
        }
    }

    @Override
    public void unmap(long iova, long length) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment unmap = Type1Space.struct(arena, 24);
            unmap.set(INT, 4, id);
            unmap.set(LONG, 8, iova);
            unmap.set(LONG, 16, length);
            iommu.ioctl("IOMMU_IOAS_UNMAP", IOMMU_IOAS_UNMAP, unmap);
        }
    }

    @Override
    public void close() {
        for (DeviceFile file : new DeviceFile[] {device, iommu}) {
            if (file != null) {
                file.close();
            }
        }
    }
}
