// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.device.Device;
import io.pipedevice.lib.ControlMessage;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.ArmWord;
import io.pipedevice.memory.DriverPageDescriptor;
import io.pipedevice.memory.LibPageDescriptor;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.memory.StatusPageDescriptor;
import io.pipedevice.queue.CommandDescriptor;
import io.pipedevice.queue.CommandQueueDescriptor;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/**
 * Attaches processes, and maps and unmaps their memory. Owns the status page. Belongs to the driver's thread.
 */
final class Attachments implements AutoCloseable {
    private final DriverContext context;
    private final Device device;
    private final DriverCounters counters;
    private final Disposal disposal;
    private final SharedRegion statusPage;
    private final BitSet usedCids = new BitSet();
    private int attached;

    Attachments(DriverContext context, Device device, DriverCounters counters, Disposal disposal) throws IOException {
        this.context = context;
        this.device = device;
        this.counters = counters;
        this.disposal = disposal;
        this.statusPage = SharedRegion.create("pd-status", StatusPageDescriptor.length(), false);
        statusPage.allocate(0, statusPage.size());
        statusPage
                .memory()
                .set(ValueLayout.JAVA_LONG, StatusPageDescriptor.VERSION_OFFSET, StatusPageDescriptor.VERSION);
        statusPage.memory().set(ValueLayout.JAVA_LONG, StatusPageDescriptor.MAGIC_OFFSET, StatusPageDescriptor.MAGIC);
    }

    SharedRegion statusPage() {
        return statusPage;
    }

    /** Makes a container of the process at the other end of a socket. */
    Container attach(UnixSocket socket, ControlMessage message, ReceivedFds fds, long nowNs) throws Refusal {
        int depth = message.value();
        int maxSockets = message.socketId();
        check(depth, maxSockets, message.argument(), fds);
        SharedRegion libPage = null;
        SharedRegion driverPage = null;
        try {
            Identity identity = Identity.of(socket);
            libPage = SharedRegion.attach(fds.take(0), message.argument(), fds.closer());
            libPage.populate(0, libPage.size());
            driverPage = driverPage(maxSockets);
            int cid = usedCids.nextClearBit(1);
            Container container = new Container(
                    cid,
                    identity,
                    socket,
                    context.limits(),
                    new ContainerCounters(counters, cid, "container " + cid + " pid " + identity.pid()),
                    device,
                    disposal,
                    libPage,
                    driverPage,
                    depth,
                    maxSockets,
                    context.hugePages(),
                    nowNs);
            usedCids.set(cid);
            counters.containers(++attached);
            message.answer().value(cid).argument(driverPage.size());
            return container;
        } catch (IOException | RuntimeException e) {
            if (libPage != null) {
                libPage.close();
            }
            if (driverPage != null) {
                driverPage.close();
            }
            throw Refusal.exhausted(e, Errno.EINVAL, "cannot attach");
        }
    }

    private void check(int depth, int maxSockets, long size, ReceivedFds fds) throws Refusal {
        if (depth < CommandQueueDescriptor.MIN_DEPTH
                || depth > CommandQueueDescriptor.MAX_DEPTH
                || Integer.bitCount(depth) != 1) {
            throw new Refusal(Errno.EINVAL, "depth of the request ring: " + depth);
        }
        if (maxSockets < 1 || maxSockets > CommandDescriptor.MAX_ID) {
            throw new Refusal(Errno.EINVAL, "number of socket slots: " + maxSockets);
        }
        long required = LibPageDescriptor.length(depth, maxSockets) + Memory.pageSize() - 1 & -Memory.pageSize();
        if (size != required || fds.count() != 1) {
            throw new Refusal(Errno.EINVAL, "the lib page must be one memory object of " + required + " bytes");
        }
        if (attached >= context.maxContainers()) {
            throw new Refusal(Errno.EMFILE, "the driver has its " + attached + " containers already");
        }
    }

    private static SharedRegion driverPage(int maxSockets) throws IOException {
        SharedRegion page = SharedRegion.create("pd-driver-page", DriverPageDescriptor.length(maxSockets), false);
        try {
            page.allocate(0, page.size());
        } catch (IOException e) {
            page.close();
            throw e;
        }
        page.memory().set(ValueLayout.JAVA_LONG, DriverPageDescriptor.VERSION_OFFSET, DriverPageDescriptor.VERSION);
        page.memory().set(ValueLayout.JAVA_LONG, DriverPageDescriptor.MAGIC_OFFSET, DriverPageDescriptor.MAGIC);
        return page;
    }

    /** A new region of send rings. */
    void addRegion(Container container, ControlMessage message, ReceivedFds fds) throws Refusal {
        int number = message.value();
        long size = message.argument();
        if (number < 0 || container.sendRegions.containsKey(number) || fds.count() != 1 || size <= 0) {
            throw new Refusal(Errno.EINVAL, "region " + number + " cannot be added");
        }
        if (size > container.limits.sendMemory() - container.sendMemory) {
            throw new Refusal(
                    Errno.ENOBUFS,
                    "quota of send memory: " + container.sendMemory + " of " + container.limits.sendMemory()
                            + " bytes in use");
        }
        checkDescriptors(container);
        try {
            container.addSendRegion(number, SharedRegion.attach(fds.take(0), size, fds.closer()));
        } catch (IOException | IllegalArgumentException e) {
            throw Refusal.exhausted(e, Errno.EINVAL, "cannot map the region");
        }
        message.answer();
    }

    private static void checkDescriptors(Container container) throws Refusal {
        if (container.descriptors() >= container.limits.descriptors()) {
            throw new Refusal(
                    Errno.EMFILE,
                    "the container has its " + container.descriptors() + " doorbells and regions of memory already");
        }
    }

    /** A region that the container needs no more; it stays while a closing socket still uses a ring of it. */
    void removeRegion(Container container, ControlMessage message) throws Refusal {
        SendRegion region = container.sendRegions.remove(message.value());
        if (region == null) {
            throw new Refusal(Errno.EINVAL, "no such region");
        }
        region.remove();
        message.answer();
    }

    /** Another doorbell; returns the container's end, which the caller closes after it was sent. */
    UnixSocket addDoorbell(Container container, ControlMessage message) throws Refusal {
        checkDescriptors(container);
        if (container.doorbells.size() > ArmWord.MAX_DOORBELL) {
            throw new Refusal(Errno.EMFILE, "the container has its " + container.doorbells.size() + " doorbells");
        }
        try {
            UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
            message.answer().value(container.doorbells.size());
            container.doorbells.add(pair[0]);
            return pair[1];
        } catch (IOException e) {
            throw Refusal.exhausted(e, Errno.EINVAL, "cannot make a doorbell");
        }
    }

    /** Descriptors that an observer gets: the counters. */
    Fd[] observe(ControlMessage message) {
        message.answer().argument(counters.region().size()).value(counters.metadataLength());
        return new Fd[] {counters.region().fd()};
    }

    void detached(Container container) {
        container.close();
        usedCids.clear(container.cid);
        counters.containers(--attached);
    }

    @Override
    public void close() {
        statusPage.close();
    }
}
