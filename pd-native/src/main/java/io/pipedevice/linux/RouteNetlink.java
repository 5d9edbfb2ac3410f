// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/**
 * Queries the routes of this process's network namespace, rtnetlink(7). No query needs a privilege. The kernel answers
 * within the call, but may wait for a lock that changes of any namespace's interfaces take. So a thread that others
 * wait for must not make such queries.
 *
 * <p>Used by one thread.
 */
public final class RouteNetlink implements AutoCloseable {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private static final int NETLINK_ROUTE = 0;
    private static final int RTM_NEWLINK = 16;
    private static final int RTM_GETLINK = 18;
    private static final int RTM_NEWROUTE = 24;
    private static final int RTM_GETROUTE = 26;
    private static final int RTM_NEWNEIGH = 28;
    private static final int RTM_GETNEIGH = 30;
    private static final int RTM_NEWNSID = 88;
    private static final int RTM_GETNSID = 90;
    private static final int AF_BRIDGE = 7;

    private static final int RTMSG_LENGTH = 12;
    private static final int RTM_DST_LEN = 1;
    private static final int RTM_TYPE = 7;
    private static final int RTN_UNICAST = 1;
    private static final int RTA_DST = 1;
    private static final int RTA_OIF = 4;
    private static final int RTA_GATEWAY = 5;
    private static final int RTA_VIA = 18;

    private static final int IFINFOMSG_LENGTH = 16;
    private static final int IFI_INDEX = 4;
    private static final int IFLA_LINKINFO = 18;
    private static final int IFLA_EXT_MASK = 29;
    private static final int IFLA_LINK_NETNSID = 37;
    private static final int IFLA_INFO_KIND = 1;
    private static final int RTEXT_FILTER_SKIP_STATS = 1 << 3;

    private static final int NDMSG_LENGTH = 12;
    private static final int NDM_IFINDEX = 4;
    private static final int NDM_STATE = 8;
    private static final int NDA_DST = 1;
    private static final int NDA_LLADDR = 2;
    private static final int NDA_MASTER = 9;

    /** The states in which the kernel knows the link address: reachable, stale, delay, probe, noarp, permanent. */
    private static final int NUD_KNOWN = 0xDE;

    private static final int RTGENMSG_LENGTH = 4;
    private static final int NETNSA_NSID = 1;
    private static final int NETNSA_PID = 2;

    private static final int BUFFER = 32 << 10;
    private static final int NONE = -1;
    private static final int DISCARD_PORT = 9;

    private final NetlinkSocket socket;
    private MemorySegment request;
    private int requestType;
    private int requestLength;

    /** The fixed part of the last answer and its attributes. */
    private MemorySegment answer;

    private int fixed;

    /**
     * A unicast route.
     *
     * @param link index of the interface by which packets leave
     * @param hop the address that is resolved on the link: that of a router, or the destination itself
     */
    public record Route(int link, InetAddress hop) {}

    /**
     * An interface.
     *
     * @param kind such as {@code veth} or {@code bridge}; empty if it has none
     * @param namespace this namespace's number for the network namespace of the other end; -1 if that is this
     *     namespace, or there is no other end
     */
    public record Link(String kind, int namespace) {}

    private RouteNetlink(NetlinkSocket socket) {
        this.socket = socket;
    }

    /**
     * Opens a socket for queries.
     *
     * @return the socket, for the caller to close
     * @throws LinuxException if the system has no rtnetlink sockets, EMFILE, ENFILE
     */
    public static RouteNetlink open() throws LinuxException {
        return new RouteNetlink(NetlinkSocket.open(NETLINK_ROUTE, BUFFER));
    }

    /**
     * The route by which this namespace sends to an address.
     *
     * @param to IPv4 or IPv6
     * @return null if there is none, or it leads to no other host: the address is this namespace's own, or blocked
     * @throws LinuxException if the kernel does not answer
     */
    public Route route(InetAddress to) throws LinuxException {
        byte[] address = to.getAddress();
        begin(RTM_GETROUTE, RTMSG_LENGTH);
        request.set(BYTE, 0, family(address));
        request.set(BYTE, RTM_DST_LEN, (byte) (address.length * Byte.SIZE));
        add(RTA_DST, address);
        if (!ask(RTM_NEWROUTE, RTMSG_LENGTH) || answer.get(BYTE, RTM_TYPE) != RTN_UNICAST) {
            return null;
        }
        int link = number(attribute(RTA_OIF), 0);
        if (link <= 0) {
            return null;
        }
        MemorySegment via = attribute(RTA_VIA);
        MemorySegment gateway = via == null ? attribute(RTA_GATEWAY) : via.asSlice(Math.min(2, via.byteSize()));
        return new Route(link, gateway == null ? to : address(gateway));
    }

    /**
     * An interface of this namespace.
     *
     * @param index its index
     * @return null if there is none
     * @throws LinuxException if the kernel does not answer
     */
    public Link link(int index) throws LinuxException {
        begin(RTM_GETLINK, IFINFOMSG_LENGTH);
        request.set(INT, IFI_INDEX, index);
        add(IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
        if (!ask(RTM_NEWLINK, IFINFOMSG_LENGTH)) {
            return null;
        }
        MemorySegment info = attribute(IFLA_LINKINFO);
        MemorySegment kind = info == null ? null : NetlinkSocket.attribute(info, IFLA_INFO_KIND);
        return new Link(kind == null ? "" : text(kind), number(attribute(IFLA_LINK_NETNSID), NONE));
    }

    /**
     * The link address of a neighbour.
     *
     * @param link index of the interface
     * @param address the neighbour's
     * @return null if the kernel does not know it now
     * @throws LinuxException if the kernel does not answer
     */
    public byte[] neighbour(int link, InetAddress address) throws LinuxException {
        begin(RTM_GETNEIGH, NDMSG_LENGTH);
        request.set(BYTE, 0, family(address.getAddress()));
        request.set(INT, NDM_IFINDEX, link);
        add(NDA_DST, address.getAddress());
        if (!ask(RTM_NEWNEIGH, NDMSG_LENGTH) || (answer.get(SHORT, NDM_STATE) & NUD_KNOWN) == 0) {
            return null;
        }
        MemorySegment known = attribute(NDA_LLADDR);
        return known == null ? null : known.toArray(BYTE);
    }

    /**
     * The port by which a bridge sends to a link address.
     *
     * @param bridge index of the bridge
     * @param linkAddress of 6 bytes
     * @return index of the port; -1 if the bridge does not know it now
     * @throws LinuxException if the kernel does not answer
     */
    public int bridgePort(int bridge, byte[] linkAddress) throws LinuxException {
        begin(RTM_GETNEIGH, NDMSG_LENGTH);
        request.set(BYTE, 0, (byte) AF_BRIDGE);
        add(NDA_LLADDR, linkAddress);
        add(NDA_MASTER, bridge);
        return ask(RTM_NEWNEIGH, NDMSG_LENGTH) ? answer.get(INT, NDM_IFINDEX) : NONE;
    }

    /**
     * This namespace's number for the network namespace of a process.
     *
     * @param pid of the process, in this process's PID namespace
     * @return -1 if it has none: no interface leads there
     * @throws LinuxException if the kernel does not answer
     */
    public int namespace(int pid) throws LinuxException {
        begin(RTM_GETNSID, RTGENMSG_LENGTH);
        add(NETNSA_PID, pid);
        return ask(RTM_NEWNSID, RTGENMSG_LENGTH) ? number(attribute(NETNSA_NSID), NONE) : NONE;
    }

    /**
     * Makes the kernel resolve a neighbour's link address, and the bridge learn its port, by sending an empty datagram.
     * Does not use a channel of the JDK, which has no IPv6 in a JVM that was started before its network namespace had
     * any address.
     *
     * @param to a route that leads to the neighbour
     * @throws LinuxException if the kernel sends nothing
     */
    public static void speakTo(Route to) throws LinuxException {
        byte[] address = to.hop().getAddress();
        int number = SocketCalls.socket(family(address), SocketCalls.SOCK_DGRAM | SocketCalls.SOCK_CLOEXEC, 0);
        Fd fd = Fd.own(LinuxException.check("socket", number));
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment name = scratch.zeroed();
            int length = TcpPort.write(address, to.hop().isLinkLocalAddress() ? to.link() : 0, DISCARD_PORT, name);
            LinuxException.check("connect", SocketCalls.connect(number, name, length));
            LinuxException.check("send", SocketCalls.send(number, name, 0, SocketCalls.MSG_DONTWAIT));
        } finally {
            fd.close();
        }
    }

    private void begin(int type, int fixedLength) {
        request = socket.begin();
        requestType = type;
        requestLength = fixedLength;
    }

    private void add(int type, byte[] value) {
        request.set(SHORT, requestLength, (short) (NetlinkSocket.ATTRIBUTE + value.length));
        request.set(SHORT, requestLength + 2L, (short) type);
        MemorySegment.copy(value, 0, request, BYTE, requestLength + (long) NetlinkSocket.ATTRIBUTE, value.length);
        requestLength += NetlinkSocket.ATTRIBUTE + value.length + 3 & -4;
    }

    private void add(int type, int value) {
        request.set(SHORT, requestLength, (short) (NetlinkSocket.ATTRIBUTE + Integer.BYTES));
        request.set(SHORT, requestLength + 2L, (short) type);
        request.set(INT, requestLength + (long) NetlinkSocket.ATTRIBUTE, value);
        requestLength += NetlinkSocket.ATTRIBUTE + Integer.BYTES;
    }

    /** Sends the request and takes its answer; false if the kernel reports an error. */
    private boolean ask(int type, int fixedLength) throws LinuxException {
        socket.send(requestType, NetlinkSocket.ONE, requestLength);
        MemorySegment message = socket.next();
        int got = NetlinkSocket.type(message);
        if (got == NetlinkSocket.ERROR) {
            return false;
        }
        if (got != type || message.byteSize() < NetlinkSocket.HEADER + fixedLength) {
            throw new LinuxException(
                    "recv", Errno.EPROTO, "answer of type " + got + " and " + message.byteSize() + " bytes");
        }
        answer = message.asSlice(NetlinkSocket.HEADER);
        fixed = fixedLength;
        return true;
    }

    private MemorySegment attribute(int type) {
        return NetlinkSocket.attribute(answer.asSlice(fixed), type);
    }

    private static int number(MemorySegment value, int otherwise) {
        return value == null || value.byteSize() < Integer.BYTES ? otherwise : value.get(INT, 0);
    }

    private static String text(MemorySegment value) {
        return new String(value.toArray(BYTE), StandardCharsets.US_ASCII).replace("\0", "");
    }

    private static InetAddress address(MemorySegment value) throws LinuxException {
        try {
            return InetAddress.getByAddress(value.toArray(BYTE));
        } catch (UnknownHostException e) {
            throw new LinuxException("recv", Errno.EPROTO, "an address of " + value.byteSize() + " bytes");
        }
    }

    private static byte family(byte[] address) {
        return (byte) (address.length == 4 ? SocketCalls.AF_INET : SocketCalls.AF_INET6);
    }

    @Override
    public void close() {
        socket.close();
    }
}
