// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

/**
 * Layout of a {@link ControlMessage}, 256 bytes, little-endian; the header is the same in every version. In an {@link
 * IntroductionMessage} some parts have other names ({@link IntroductionMessageDescriptor}).
 *
 * <pre>
 *   0        4      6      8           12        16        20        24       28         32            40
 *  +--------+------+------+-----------+---------+---------+---------+--------+----------+-------------+----------+
 *  | magic  |versn | type | request id| status  |socket id| value   | send   | send ring| send ring   | argument |
 *  |        |      |      |           | (errno) |         |         | region | size     | offset      |          |
 *  +--------+------+------+-----------+---------+---------+---------+--------+----------+-------------+----------+
 *  48                      72                       96       100       104            112           120     124
 *  +-----------------------+------------------------+--------+---------+--------------+-------------+-------+---------+
 *  | local address         | peer address           | receive| receive | receive ring | receive     | ring  | text    |
 *  | family port  -- bytes | family port  --   bytes| region | ring sz | offset       | region size | start | len, utf|
 *  +-----------------------+------------------------+--------+---------+--------------+-------------+-------+---------+
 * </pre>
 */
final class ControlMessageDescriptor {
    static final int VERSION_OFFSET = 4;
    static final int TYPE_OFFSET = 6;
    static final int REQUEST_ID_OFFSET = 8;
    static final int STATUS_OFFSET = 12;
    static final int SOCKET_ID_OFFSET = 16;
    static final int VALUE_OFFSET = 20;
    static final int SEND_REGION_OFFSET = 24;
    static final int SEND_RING_SIZE_OFFSET = 28;
    static final int SEND_RING_OFFSET_OFFSET = 32;
    static final int ARGUMENT_OFFSET = 40;
    static final int LOCAL_ADDRESS_OFFSET = 48;
    static final int PEER_ADDRESS_OFFSET = 72;
    static final int RECEIVE_REGION_OFFSET = 96;
    static final int RECEIVE_RING_SIZE_OFFSET = 100;
    static final int RECEIVE_RING_OFFSET_OFFSET = 104;
    static final int RECEIVE_REGION_SIZE_OFFSET = 112;
    static final int RING_START_OFFSET = 120;
    static final int TEXT_LENGTH_OFFSET = 124;
    static final int TEXT_OFFSET = 126;

    private ControlMessageDescriptor() {}
}
