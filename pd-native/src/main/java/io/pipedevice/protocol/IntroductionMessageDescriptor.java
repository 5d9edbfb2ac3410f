// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

/**
 * Layout of an {@link IntroductionMessage}; header, status and text are those of every {@link ControlMessage}. What the
 * parts called value and argument mean depends on the type; an answer has the request's type.
 *
 * <pre>
 *   0        12       16         20      24  40         48              72             96  124    256
 *  +--------+--------+----------+-------+---+----------+---------------+--------------+---+------+
 *  | header | status | listener | value | - | argument | local address | peer address | - | text |
 *  +--------+--------+----------+-------+---+----------+---------------+--------------+---+------+
 *
 *                            value                              argument
 *   JOIN, answer             FIXED, or 0                        size of the driver's memory for permits
 *   PERMITS                                                     size of the participant's memory for permits
 *   LISTENS                  1, or 0 for the end
 *   SERVES                   number of a descriptor             inode of its socket
 *   OFFERS                   cid of an attachment               id of a listening socket there
 *   INTEND                   local port
 *   CONNECTED                                                   slot of the permit
 *   ACCEPTED                 the client's port                  slot of the permit
 *   CONNECTED, answer        process, or 0 for the device       start time, or number for CONNECT
 *   ACCEPTED, answer         process, or 0 for the device       start time
 *   FIND                                                        inode of the server's socket
 *   FIND, answer             process, or 0 for the device       start time
 *   LINK, LINK_NEIGHBOUR     process                            start time
 *   NEWCOMER, NEIGHBOUR      process                            start time
 *   SHOWS                    1 if no driver knows the link      inode of the other side's memory
 *   HIDES, CUT                                                  inode of this side's memory
 *   RATE                                                        bytes per second
 * </pre>
 */
final class IntroductionMessageDescriptor {
    static final int LISTENER_OFFSET = ControlMessageDescriptor.SOCKET_ID_OFFSET;
    static final int VALUE_OFFSET = ControlMessageDescriptor.VALUE_OFFSET;
    static final int ARGUMENT_OFFSET = ControlMessageDescriptor.ARGUMENT_OFFSET;

    private IntroductionMessageDescriptor() {}
}
