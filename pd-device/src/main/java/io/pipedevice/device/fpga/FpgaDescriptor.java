// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.fpga;

/**
 * Layout of the registers of PD Stack on an FPGA, in BAR 0. docs/pd-stack.md specifies each of them. This class has the
 * numbers, for the back end and for the model of the device.
 *
 * <pre>
 *  BAR 0                            a lane's block
 *  0x0000 +------------------+      0x00 +---------------------------------------+
 *         | the device's     |           | bases of SQ and CQ, depth, control,   |
 *         | registers        |           | status, error                         |
 *  0x1000 +------------------+      0x20 +---------------------------------------+
 *         | lane 0           |           | SQ tail (doorbell)  | SQ head         |
 *  0x2000 +------------------+           | CQ head (doorbell)  | CQ tail         |
 *         | lane 1           |      0x30 +---------------------------------------+
 *         +------------------+           | batch of completions, hold-off,       |
 *         | ...              |           | interrupt: arm, disarm, status        |
 *         +------------------+           +---------------------------------------+
 * </pre>
 *
 * <p>All registers have 32 bits, little-endian, and are accessed as such.
 */
public final class FpgaDescriptor {
    /** Identification, read only: {@link #ID}. */
    public static final int ID_OFFSET = 0x00;

    /** Version of the register map, read only: major in the high half, minor in the low one. */
    public static final int VERSION_OFFSET = 0x04;

    /** Number of lanes, read only, 1 to {@link #MAX_LANES}. */
    public static final int LANES_OFFSET = 0x08;

    /** Largest depth of a queue in entries, read only, a power of two. */
    public static final int MAX_DEPTH_OFFSET = 0x0C;

    /** Longest copy of one command in bytes, read only. */
    public static final int MAX_TRANSFER_OFFSET = 0x10;

    /** Alignment of addresses and lengths in bytes, read only, a power of two. */
    public static final int ALIGNMENT_OFFSET = 0x14;

    /** Bits of an address that the device can put on the bus, read only, 32 to {@link #MAX_ADDRESS_BITS}. */
    public static final int ADDRESS_BITS_OFFSET = 0x18;

    /** Features of the device beyond this list, read only: 0 in this version. */
    public static final int FEATURES_OFFSET = 0x1C;

    /** {@code CONTROL_} bits. */
    public static final int CONTROL_OFFSET = 0x20;

    /** {@code STATUS_} bits, read only. */
    public static final int STATUS_OFFSET = 0x24;

    /** {@code ERROR_} bits that happened; writing ones clears them. */
    public static final int ERROR_STATUS_OFFSET = 0x28;

    /** {@code ERROR_} bits that raise the error interrupt. */
    public static final int ERROR_ENABLE_OFFSET = 0x2C;

    /** Low half of the address of the first error since the status was clear, read only. */
    public static final int ERROR_ADDRESS_LOW_OFFSET = 0x30;

    /** High half of the address of the first error, read only. */
    public static final int ERROR_ADDRESS_HIGH_OFFSET = 0x34;

    /** Lane of the first error, read only; {@link #NO_LANE} if it concerns none. */
    public static final int ERROR_LANE_OFFSET = 0x38;

    /** Holds the value that was last written. */
    public static final int SCRATCH_OFFSET = 0x3C;

    /** Offset of lane 0's block, and distance from one lane's block to the next. */
    public static final int LANE_LENGTH = 0x1000;

    /** Low half of the IOVA of the SQ's memory. */
    public static final int SQ_BASE_LOW_OFFSET = 0x00;

    /** High half of the IOVA of the SQ's memory. */
    public static final int SQ_BASE_HIGH_OFFSET = 0x04;

    /** Low half of the IOVA of the CQ's memory. */
    public static final int CQ_BASE_LOW_OFFSET = 0x08;

    /** High half of the IOVA of the CQ's memory. */
    public static final int CQ_BASE_HIGH_OFFSET = 0x0C;

    /** Entries of SQ and CQ each, a power of two. */
    public static final int DEPTH_OFFSET = 0x10;

    /** {@link #LANE_ENABLE}. */
    public static final int LANE_CONTROL_OFFSET = 0x14;

    /** {@code LANE_} status bits, read only. */
    public static final int LANE_STATUS_OFFSET = 0x18;

    /** Why the lane is halted, read only: one of the {@code ERROR_} bits. */
    public static final int LANE_ERROR_OFFSET = 0x1C;

    /** Doorbell: number of entries that were put into the SQ since the lane was enabled, modulo 2<sup>32</sup>. */
    public static final int SQ_TAIL_OFFSET = 0x20;

    /** Number of entries that the device took out of the SQ, read only. */
    public static final int SQ_HEAD_OFFSET = 0x24;

    /** Doorbell: number of entries that were taken out of the CQ since the lane was enabled, modulo 2<sup>32</sup>. */
    public static final int CQ_HEAD_OFFSET = 0x28;

    /** Number of entries that the device published in the CQ, read only. */
    public static final int CQ_TAIL_OFFSET = 0x2C;

    /** The paper's cqthresh: number of completions after which the device always publishes the CQ's tail. */
    public static final int CQ_THRESHOLD_OFFSET = 0x30;

    /** Least time between two interrupts of the lane, in microseconds. */
    public static final int HOLD_OFF_OFFSET = 0x34;

    /** Requests one interrupt as soon as the CQ's tail differs from the value written; write only. */
    public static final int ARM_OFFSET = 0x38;

    /** Withdraws the request for an interrupt; any value; write only. */
    public static final int DISARM_OFFSET = 0x3C;

    /** {@link #INTERRUPT_ARMED}, read only. */
    public static final int INTERRUPT_STATUS_OFFSET = 0x40;

    /** Value of {@link #ID_OFFSET}: "PDSK". */
    public static final int ID = 0x4B534450;

    /** Major version that this class describes; a device of another major version is not supported. */
    public static final int MAJOR_VERSION = 1;

    /** Minor version that this class describes; a later one only adds registers or bits. */
    public static final int MINOR_VERSION = 0;

    /** Value of every register when the device has left the bus. */
    public static final int GONE = -1;

    /** Control: lanes work. */
    public static final int CONTROL_ENABLE = 1;

    /** Control: begins a reset; reads as 0. */
    public static final int CONTROL_RESET = 1 << 1;

    /** Status: registers may be written. */
    public static final int STATUS_READY = 1;

    /** Status: a reset is in progress. */
    public static final int STATUS_RESETTING = 1 << 1;

    /** Error: an address of a command is not mapped; the command failed. */
    public static final int ERROR_ADDRESS = 1;

    /** Error: a queue's memory is not mapped; the lane is halted. */
    public static final int ERROR_QUEUE = 1 << 1;

    /** Error: a doorbell's value decreased, or exceeded the possible maximum; the lane is halted. */
    public static final int ERROR_DOORBELL = 1 << 2;

    /** Error: the lane's bases, depth or threshold are invalid; the lane is halted. */
    public static final int ERROR_CONFIGURATION = 1 << 3;

    /** Error: a write to a register that does not exist or may not be written now; the write had no other effect. */
    public static final int ERROR_ACCESS = 1 << 4;

    /** All errors of this version. */
    public static final int ERROR_ALL = (1 << 5) - 1;

    /** Lane control: the lane works. */
    public static final int LANE_ENABLE = 1;

    /** Lane status: the lane works. */
    public static final int LANE_ACTIVE = 1;

    /** Lane status: the lane stopped because of an error. */
    public static final int LANE_HALTED = 1 << 1;

    /** Interrupt status: the requested interrupt has not been raised yet. */
    public static final int INTERRUPT_ARMED = 1;

    /** Value of {@link #ERROR_LANE_OFFSET} for an error that concerns no lane. */
    public static final int NO_LANE = 0xFFFF;

    /** Most lanes of a device. */
    public static final int MAX_LANES = 256;

    /** Largest value of {@link #ADDRESS_BITS_OFFSET}. */
    public static final int MAX_ADDRESS_BITS = 52;

    /** Alignment of the queues' memory, in bytes. */
    public static final int QUEUE_ALIGNMENT = 4096;

    private FpgaDescriptor() {}

    /**
     * Offset of a lane's block.
     *
     * @param lane 0 to {@link #MAX_LANES}, exclusive
     * @return offset in BAR 0
     */
    public static int lane(int lane) {
        return (lane + 1) * LANE_LENGTH;
    }
}
