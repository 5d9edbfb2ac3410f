// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.edu;

/**
 * Registers of QEMU's {@code edu} (docs/specs/edu.rst of QEMU), in BAR 0. All of them take accesses of 32 bits.
 *
 * <pre>
 *  0x00  identification, 0xRRrr00ED: major and minor version          read
 *  0x24  interrupt status: what raised the interrupt                  read
 *  0x64  interrupt acknowledge: bits to clear                         write
 *  0x80  DMA source: an address of the bus, or of the buffer
 *  0x88  DMA destination: the same
 *  0x90  DMA count, in bytes
 *  0x98  DMA command: 1 run, 2 from the buffer to memory (else the other way), 4 interrupt at the end
 * </pre>
 *
 * <p>The buffer of 4096 bytes is at 0x40000, for DMA addresses only. A transfer takes 100 ms, and the device ignores
 * writes to the DMA registers meanwhile. The device does not notice accesses that the bus refuses.
 */
final class EduDescriptor {
    static final int VENDOR = 0x1234;
    static final int DEVICE = 0x11E8;

    static final int ID_OFFSET = 0x00;
    static final int ID_MASK = 0xFFFF;
    static final int ID = 0x00ED;
    static final int INTERRUPT_STATUS_OFFSET = 0x24;
    static final int INTERRUPT_ACKNOWLEDGE_OFFSET = 0x64;
    static final int INTERRUPT_DMA = 0x100;

    static final int DMA_SOURCE_OFFSET = 0x80;
    static final int DMA_DESTINATION_OFFSET = 0x88;
    static final int DMA_COUNT_OFFSET = 0x90;
    static final int DMA_COMMAND_OFFSET = 0x98;
    static final int DMA_RUN = 1;
    static final int DMA_TO_MEMORY = 2;
    static final int DMA_INTERRUPT = 4;

    static final int BUFFER = 0x40000;
    static final int ADDRESS_BITS = 28;

    /**
     * Half of the buffer. Some versions of QEMU have an off-by-one check, and exit on a transfer that ends with the
     * buffer's last byte.
     */
    static final int MAX_TRANSFER = 2048;

    private EduDescriptor() {}
}
