// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

/**
 * Layout of the messages of a link's Unix socket: 32 bytes each, in the machine's byte order. The first 16 bytes have
 * the same layout in every version.
 *
 * <pre>
 *  0         8         12       16       20         24       32
 *  +---------+---------+--------+--------+----------+--------+
 *  | magic 8 | version | type   | number | features | size 8 |
 *  +---------+---------+--------+--------+----------+--------+
 *
 *              number      size                    descriptors
 *   HELLO      -           of the memory           memory, dispatcher's bell
 *   WELCOME    -           of the memory           memory, dispatcher's bell
 *   REFUSE     reason      -                       -
 *   BELL       of the bell READY_SET or 0          bell
 *   RING       of the ring of the ring, 0: gone    memory, none if it is gone
 *   PORT       slot        -                       socket of TCP that holds the address of the slot's next connection
 *   READY      -           -                       -
 * </pre>
 */
public final class LinkMessageDescriptor {
    /** The first word, which identifies a message of a link. */
    public static final long MAGIC = 0x4B4E_494C_4450_4950L;
    /** The version of the protocol. */
    public static final int VERSION = 1;
    /** {@link #MAGIC}. */
    public static final int MAGIC_OFFSET = 0;
    /** {@link #VERSION}. */
    public static final int VERSION_OFFSET = 8;
    /** The type. */
    public static final int TYPE_OFFSET = 12;
    /** A number, whose meaning depends on the type. */
    public static final int NUMBER_OFFSET = 16;
    /** The features of the sender, as bits. */
    public static final int FEATURES_OFFSET = 20;
    /** A size, whose meaning depends on the type. */
    public static final int SIZE_OFFSET = 24;
    /** The length of a message. */
    public static final int LENGTH = 32;

    /** The first message of the client. */
    public static final int HELLO = 1;

    /** The server's answer, with the features that both sides have. */
    public static final int WELCOME = 2;

    /** The server's refusal, instead of WELCOME. */
    public static final int REFUSE = 3;

    /** A doorbell, with its number. */
    public static final int BELL = 4;

    /**
     * Size of BELL: the bell is a poller's, which reads a ready ring while it is awake ({@link ReadySetDescriptor}).
     */
    public static final int READY_SET = 1;

    /** A ring, with its number and its size. */
    public static final int RING = 5;

    /**
     * The socket that holds a client's address, sent before the connection is posted; for the first slots, once for all
     * connections from that address.
     */
    public static final int PORT = 6;

    /**
     * The server permits descriptors from now on. It precedes WELCOME, and comes only from a server whose kernel can
     * refuse descriptors. A client whose HELLO the kernel has refused sends it again.
     */
    public static final int READY = 7;

    /** The features of this version; there are none yet. */
    public static final int FEATURES = 0;

    private LinkMessageDescriptor() {}
}
