// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * An entry of the accept ring: a connection that waits to be accepted; see {@link LinkMemoryDescriptor}.
 *
 * @param slot the slot of the connection
 * @param generation of the slot
 * @param client address of the client's end
 * @param server address that the client connects to
 */
public record AcceptEntry(int slot, int generation, InetSocketAddress client, InetSocketAddress server) {
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;
    private static final int IPV4_LENGTH = 4;
    private static final int IPV6_LENGTH = 16;

    /**
     * Writes the entry. Both addresses are of the same family.
     *
     * @param own memory of the client
     * @param position of the entry
     */
    public void write(LinkMemory own, long position) {
        byte[] entry = new byte[LinkMemoryDescriptor.ENTRY_LENGTH];
        byte[] clientAddress = client.getAddress().getAddress();
        ByteBuffer bytes = ByteBuffer.wrap(entry).order(ByteOrder.nativeOrder());
        bytes.putInt(LinkMemoryDescriptor.ENTRY_SLOT_OFFSET, slot);
        bytes.putInt(LinkMemoryDescriptor.ENTRY_GENERATION_OFFSET, generation);
        bytes.putShort(LinkMemoryDescriptor.ENTRY_CLIENT_PORT_OFFSET, (short) client.getPort());
        bytes.putShort(LinkMemoryDescriptor.ENTRY_SERVER_PORT_OFFSET, (short) server.getPort());
        bytes.putInt(LinkMemoryDescriptor.ENTRY_FAMILY_OFFSET, clientAddress.length == IPV4_LENGTH ? IPV4 : IPV6);
        bytes.put(LinkMemoryDescriptor.ENTRY_CLIENT_ADDRESS_OFFSET, clientAddress);
        bytes.put(
                LinkMemoryDescriptor.ENTRY_SERVER_ADDRESS_OFFSET,
                server.getAddress().getAddress());
        int offset = LinkMemoryDescriptor.entry(position);
        MemorySegment.copy(entry, 0, own.memory(), ValueLayout.JAVA_BYTE, offset, entry.length);
    }

    /**
     * Reads an entry that the peer has written, each word once, and checks it.
     *
     * @param peer memory of the client
     * @param position of the entry
     * @return null if the entry is invalid
     */
    public static AcceptEntry read(LinkMemory peer, long position) {
        byte[] entry = new byte[LinkMemoryDescriptor.ENTRY_LENGTH];
        int offset = LinkMemoryDescriptor.entry(position);
        MemorySegment.copy(peer.memory(), ValueLayout.JAVA_BYTE, offset, entry, 0, entry.length);
        ByteBuffer bytes = ByteBuffer.wrap(entry).order(ByteOrder.nativeOrder());
        int slot = bytes.getInt(LinkMemoryDescriptor.ENTRY_SLOT_OFFSET);
        int family = bytes.getInt(LinkMemoryDescriptor.ENTRY_FAMILY_OFFSET);
        if (slot < 0 || slot >= LinkMemoryDescriptor.MAX_CONNECTIONS || (family != IPV4 && family != IPV6)) {
            return null;
        }
        int length = family == IPV4 ? IPV4_LENGTH : IPV6_LENGTH;
        InetAddress client = address(entry, LinkMemoryDescriptor.ENTRY_CLIENT_ADDRESS_OFFSET, length);
        InetAddress server = address(entry, LinkMemoryDescriptor.ENTRY_SERVER_ADDRESS_OFFSET, length);
        int clientPort = bytes.getShort(LinkMemoryDescriptor.ENTRY_CLIENT_PORT_OFFSET) & 0xFFFF;
        int serverPort = bytes.getShort(LinkMemoryDescriptor.ENTRY_SERVER_PORT_OFFSET) & 0xFFFF;
        if (clientPort == 0 || !PeerName.isOfAHost(client) || client.getClass() != server.getClass()) {
            return null;
        }
        return new AcceptEntry(
                slot,
                bytes.getInt(LinkMemoryDescriptor.ENTRY_GENERATION_OFFSET),
                new InetSocketAddress(client, clientPort),
                new InetSocketAddress(server, serverPort));
    }

    private static InetAddress address(byte[] entry, int offset, int length) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(entry, offset, offset + length));
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are addresses", e);
        }
    }
}
