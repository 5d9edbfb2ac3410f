// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.queue;

/** Values of the request type of Figure 6, and of the status in a completion's tag. */
public final class CommandType {
    /** SQ: copy {@code length} bytes from source to destination. The paper's PD_GENERAL_SEND. */
    public static final int SEND = 1;

    /** CQ: the command is done; the tag holds its status. The paper's PD_GENERAL_COMPLETED. */
    public static final int COMPLETED = 2;

    /** PD Lib to PD Driver: the receive ring has the space that the driver requested (pd_recv_done). */
    public static final int RECV_DONE = 3;

    /**
     * PD Lib to PD Driver: no more data will be sent on this socket; the peer gets end-of-file after the queued data.
     */
    public static final int SHUTDOWN = 4;

    /** PD Lib to PD Driver: pd_close. */
    public static final int CLOSE = 5;

    /** PD Lib to PD Driver: the socket's words in the lib page are initialised and may be read. */
    public static final int OPENED = 6;

    /** PD Lib to PD Driver: the input of this socket is shut. */
    public static final int SHUTDOWN_INPUT = 7;

    /**
     * PD Lib to PD Driver: from now on sends may lie in the first {@code length} bytes of the send ring, whose pages
     * are allocated.
     */
    public static final int SEND_RING_GREW = 8;

    /** PD Driver to PD Lib: an armed socket is ready. */
    public static final int EVENT = 16;

    /** PD Driver to PD Lib: a receive region ({@code source} is its id) no longer holds a ring and may be unmapped. */
    public static final int REGION_DROPPED = 17;

    /** The command was executed. */
    public static final int STATUS_OK = 0;

    /** An address of the command is not mapped for the device, or the access is not allowed (an IOMMU fault). */
    public static final int STATUS_ADDRESS = 1;

    /** The length is zero, negative, or more than the device's largest transfer. */
    public static final int STATUS_LENGTH = 2;

    /** The device does not know the request type. */
    public static final int STATUS_TYPE = 3;

    /** The device failed while it executed the command. */
    public static final int STATUS_DEVICE = 4;

    /** The device was reset before the command was executed. */
    public static final int STATUS_RESET = 5;

    private CommandType() {}
}
