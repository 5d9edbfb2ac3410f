// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.protocol;

/**
 * Layout of a {@link FunctionMessage}: that of a {@link RegionMessage}, and more.
 *
 * <pre>
 *   0              52        56        60        64     72           104      108           112  124    256
 *  +--------------+---------+---------+---------+------+------------+--------+-------------+----+------+
 *  | as a         | version | message | regions | fuel | handles of | state  | as a        | -  | text |
 *  | region's     |         | length  | or one  |      | regions    | length | region's    |    |      |
 *  +--------------+---------+---------+---------+------+------------+--------+-------------+----+------+
 * </pre>
 */
final class FunctionMessageDescriptor {
    static final int VERSION_OFFSET = 52;
    static final int MESSAGE_LENGTH_OFFSET = 56;
    static final int REGIONS_OFFSET = 60;
    static final int FUEL_OFFSET = 64;
    static final int HANDLES_OFFSET = 72;
    static final int STATE_LENGTH_OFFSET = 104;

    private FunctionMessageDescriptor() {}
}
