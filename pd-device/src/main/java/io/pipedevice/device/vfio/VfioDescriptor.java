// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.vfio;

/**
 * Requests and structures of the kernel's linux/vfio.h and linux/iommufd.h. A structure begins with its length (32
 * bits) and flags (32 bits); fields have their natural alignment.
 *
 * <pre>
 *  group status     0 argsz   4 flags
 *  device info      0 argsz   4 flags   8 regions   12 irqs     16 capabilities
 *  region info      0 argsz   4 flags   8 index     12 caps     16 size (64)     24 offset (64)
 *  irq info         0 argsz   4 flags   8 index     12 count
 *  irq set          0 argsz   4 flags   8 index     12 start    16 count   20 eventfds (32 each)
 *  iommu info       0 argsz   4 flags   8 page sizes (64)       16 capabilities
 *   capability      0 id (16) 2 version (16)  4 next (32)
 *   iova ranges     8 count   16 first (64), last (64), ...
 *   mappings left   8 count
 *  map              0 argsz   4 flags   8 memory (64)           16 iova (64)     24 length (64)
 *  unmap            0 argsz   4 flags   8 iova (64)             16 length (64)
 * </pre>
 */
final class VfioDescriptor {
    static final int API_VERSION = 0;

    static final int GET_API_VERSION = 0x3B64;
    static final int CHECK_EXTENSION = 0x3B65;
    static final int SET_IOMMU = 0x3B66;
    static final int GROUP_GET_STATUS = 0x3B67;
    static final int GROUP_SET_CONTAINER = 0x3B68;
    static final int GROUP_GET_DEVICE_FD = 0x3B6A;
    static final int DEVICE_GET_INFO = 0x3B6B;
    static final int DEVICE_GET_REGION_INFO = 0x3B6C;
    static final int DEVICE_GET_IRQ_INFO = 0x3B6D;
    static final int DEVICE_SET_IRQS = 0x3B6E;
    static final int DEVICE_RESET = 0x3B6F;
    static final int IOMMU_GET_INFO = 0x3B70;
    static final int IOMMU_MAP_DMA = 0x3B71;
    static final int IOMMU_UNMAP_DMA = 0x3B72;
    static final int DEVICE_BIND_IOMMUFD = 0x3B76;
    static final int DEVICE_ATTACH_IOMMUFD_PT = 0x3B77;
    static final int IOMMU_IOAS_ALLOC = 0x3B81;
    static final int IOMMU_IOAS_IOVA_RANGES = 0x3B84;
    static final int IOMMU_IOAS_MAP = 0x3B85;
    static final int IOMMU_IOAS_UNMAP = 0x3B86;

    static final int TYPE1_IOMMU = 1;
    static final int TYPE1V2_IOMMU = 3;

    static final int LENGTH_OFFSET = 0;
    static final int FLAGS_OFFSET = 4;

    static final int GROUP_STATUS_LENGTH = 8;
    static final int GROUP_VIABLE = 1;

    static final int DEVICE_INFO_LENGTH = 24;
    static final int DEVICE_FLAG_RESET = 1;
    static final int DEVICE_FLAG_PCI = 2;

    static final int REGION_INFO_LENGTH = 32;
    static final int REGION_INDEX_OFFSET = 8;
    static final int REGION_SIZE_OFFSET = 16;
    static final int REGION_FILE_OFFSET = 24;
    static final int REGION_FLAG_MMAP = 4;
    static final int REGION_BAR0 = 0;
    static final int REGION_CONFIG = 7;

    static final int IRQ_INFO_LENGTH = 16;
    static final int IRQ_INDEX_OFFSET = 8;
    static final int IRQ_INFO_COUNT_OFFSET = 12;
    static final int IRQ_MSI = 1;
    static final int IRQ_MSIX = 2;

    static final int IRQ_SET_COUNT_OFFSET = 16;
    static final int IRQ_SET_DATA_OFFSET = 20;
    static final int IRQ_SET_DATA_NONE = 1;
    static final int IRQ_SET_DATA_EVENTFD = 4;
    static final int IRQ_SET_TRIGGER = 32;

    static final int IOMMU_INFO_LENGTH = 24;
    static final int IOMMU_INFO_PAGE_SIZES_OFFSET = 8;
    static final int IOMMU_INFO_CAPABILITIES_OFFSET = 16;
    static final int IOMMU_INFO_FLAG_CAPABILITIES = 2;
    static final int CAPABILITY_IOVA_RANGES = 1;
    static final int CAPABILITY_NEXT_OFFSET = 4;
    static final int CAPABILITY_COUNT_OFFSET = 8;
    static final int CAPABILITY_RANGES_OFFSET = 16;
    static final int RANGE_LENGTH = 16;

    static final int MAP_LENGTH = 32;
    static final int MAP_MEMORY_OFFSET = 8;
    static final int MAP_IOVA_OFFSET = 16;
    static final int MAP_SIZE_OFFSET = 24;
    static final int MAP_FLAG_READ = 1;
    static final int MAP_FLAG_WRITE = 2;

    static final int UNMAP_LENGTH = 24;
    static final int UNMAP_IOVA_OFFSET = 8;
    static final int UNMAP_SIZE_OFFSET = 16;

    private VfioDescriptor() {}
}
