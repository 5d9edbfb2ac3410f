// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.protocol;

import io.pipedevice.protocol.ControlMessage;

/**
 * Layout of a {@link RegionMessage}; header and text are those of every {@link ControlMessage}. Where the text has two
 * parts, the length of the second one is in characters.
 *
 * <pre>
 *   0        16       20       24        28     32     40        44       48      52  108      112  124    256
 *  +--------+--------+--------+---------+------+------+---------+--------+-------+---+--------+----+------+
 *  | header | handle | rights | subject | user | size | process | queues | depth | - | second | -  | text |
 *  |        |        |        |         |      |      |         |        |       |   | length |    |      |
 *  +--------+--------+--------+---------+------+------+---------+--------+-------+---+--------+----+------+
 * </pre>
 */
final class RegionMessageDescriptor {
    static final int HANDLE_OFFSET = 16;
    static final int RIGHTS_OFFSET = 20;
    static final int SUBJECT_OFFSET = 24;
    static final int USER_OFFSET = 28;
    static final int SIZE_OFFSET = 32;
    static final int PROCESS_OFFSET = 40;
    static final int QUEUES_OFFSET = 44;
    static final int DEPTH_OFFSET = 48;
    static final int SECOND_LENGTH_OFFSET = 108;

    private RegionMessageDescriptor() {}
}
