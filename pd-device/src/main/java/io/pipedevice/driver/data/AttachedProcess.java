// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.ProcessCounters;
import io.pipedevice.driver.share.ProcessLimits;
import io.pipedevice.driver.share.Share;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.QuotaExceededException;
import io.pipedevice.memory.RingBufferPool;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.CommandType;
import io.pipedevice.queue.EntryRingConsumer;
import io.pipedevice.queue.EntryRingProducer;
import io.pipedevice.wait.TokenBucket;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * An attached process: its control connection, pages, memory and sockets. Owns all of them; {@link #close} releases
 * everything. A process that attaches several times has one of these for each attachment. Belongs to the driver's
 * thread.
 */
public final class AttachedProcess implements RingBufferPool.Listener, AutoCloseable {
    /** The number of the attachment, by which the process itself and the counters know it. */
    public final int cid;
    /** Which process it is. */
    public final Identity identity;

    final UnixSocket control;
    /** Its limits. */
    public final ProcessLimits limits;
    /** Its counters. */
    public final ProcessCounters counters;

    /** The use of its container, with other attachments. */
    public final ContainerUse use;

    final SendRate rate;
    /** The requests that it posted. */
    public final EntryRingConsumer requests;

    final EntryRingProducer events;
    /** The receive rings that the driver allocates for it. */
    public final RingBufferPool receivePool;
    /** Its regions of send rings, by its own numbers. */
    public final Int2ObjectHashMap<SendRegion> sendRegions = new Int2ObjectHashMap<>();
    /** Its doorbells, by number. */
    public final List<Doorbell> doorbells = new ArrayList<>();
    /** The sockets that the rate limit delays. */
    public final ArrayList<Endpoint> throttled = new ArrayList<>();
    /** Its account of the engine's time. */
    public final Share share = new Share();

    /** {@link CopyScheduler}: the sockets that have data to copy, and whether the process is in the round. */
    final ArrayDeque<Endpoint> sending = new ArrayDeque<>();

    boolean scheduled;

    /** {@link Round}: whether the process has credit and data and waits for the device, and since when. */
    boolean waiting;

    long waitsSinceNs;

    /**
     * Set when the control connection has ended or the process was detached. Its sockets may still have data to
     * deliver.
     */
    public boolean gone;

    /** AttachedProcesses: whether all sockets of a process that is gone are closed. */
    public boolean socketsClosed;

    /**
     * Bytes of the process's lib page and send regions that are mapped, including removed regions that are still in
     * use.
     */
    public long sendMemory;

    private final Device device;
    private final Disposal disposal;
    private final Chores chores;
    private final DriverMemory memory;
    private final SharedRegion libPage;
    private final SharedRegion driverPage;
    private final int requestDepth;
    private final Endpoint[] endpoints;
    private final int[] generations;
    private final BitSet usedSids = new BitSet();
    private final Int2ObjectHashMap<ReceiveRegion> receiveRegions = new Int2ObjectHashMap<>();
    private Iterator<SendRegion> regionsToRemove;
    private int nextSid;
    private int sockets;
    private int mappedRegions;

    /** Bytes of the driver page, and of other pages that the driver allocates for the process. */
    private long pageBytes;

    private static final class ReceiveRegion {
        final SharedRegion region;
        final DeviceMapping mapping;
        boolean announced;

        ReceiveRegion(SharedRegion region, DeviceMapping mapping) {
            this.region = region;
            this.mapping = mapping;
        }
    }

    /**
     * Maps the pages of a process that was admitted; takes ownership of them.
     *
     * @param cid its number
     * @param identity of the process
     * @param control its control connection, closed by the control plane
     * @param use of the container to which the process belongs
     * @param limits of this attachment
     * @param counters closed with the process
     * @param device maps its memory
     * @param disposal closes descriptors and memory that it passed
     * @param chores does long work in steps
     * @param memory charged for the driver's allocations
     * @param libPage written by the process
     * @param driverPage written by the driver
     * @param requestDepth entries of the request ring, a power of two
     * @param maxSockets number of slots in both pages
     * @param hugePages whether receive rings try 2 MB pages first
     * @param nowNs the time
     */
    public AttachedProcess(
            int cid,
            Identity identity,
            UnixSocket control,
            ContainerUse use,
            ProcessLimits limits,
            ProcessCounters counters,
            Device device,
            Disposal disposal,
            Chores chores,
            DriverMemory memory,
            SharedRegion libPage,
            SharedRegion driverPage,
            int requestDepth,
            int maxSockets,
            boolean hugePages,
            long nowNs) {
        this.cid = cid;
        this.identity = identity;
        this.control = control;
        this.use = use;
        this.limits = limits;
        this.counters = counters;
        this.device = device;
        this.disposal = disposal;
        this.chores = chores;
        this.memory = memory;
        this.libPage = libPage;
        this.driverPage = driverPage;
        this.requestDepth = requestDepth;
        this.endpoints = new Endpoint[maxSockets];
        this.generations = new int[maxSockets];
        this.rate = new SendRate(new TokenBucket(limits.bytesPerSecond(), nowNs), use);
        this.requests = new EntryRingConsumer(
                libPage.memory().asSlice(LibPageDescriptor.REQUESTS_OFFSET),
                requestDepth,
                driverPage.memory(),
                DriverPageDescriptor.REQUESTS_CONSUMED_OFFSET);
        this.events = new EntryRingProducer(
                driverPage.memory().asSlice(DriverPageDescriptor.EVENTS_OFFSET),
                DriverPageDescriptor.eventDepth(maxSockets),
                libPage.memory(),
                LibPageDescriptor.EVENTS_CONSUMED_OFFSET);
        this.sendMemory = libPage.size();
        counters.sendMemory(sendMemory);
        this.pageBytes = driverPage.size();
        counters.receiveMemory(pageBytes);
        this.receivePool = new RingBufferPool(
                "pd-receive-" + cid,
                limits.receiveMemory() - driverPage.size(),
                hugePages,
                device.capabilities().pinsMemory(),
                this,
                this::closeSoon);
    }

    /**
     * Creates a socket.
     *
     * @return the socket, or null if the process has reached its limit
     */
    public Endpoint newEndpoint() {
        if (sockets >= Math.min(limits.sockets(), endpoints.length)) {
            return null;
        }
        int sid = usedSids.nextClearBit(nextSid);
        if (sid >= endpoints.length) {
            sid = usedSids.nextClearBit(0);
        }
        nextSid = sid + 1 < endpoints.length ? sid + 1 : 0;
        usedSids.set(sid);
        sockets++;
        counters.sockets(sockets);
        int generation = ++generations[sid];
        Slot slot = new Slot(
                driverPage.memory(),
                DriverPageDescriptor.slot(endpoints.length, sid),
                libPage.memory(),
                LibPageDescriptor.slot(requestDepth, sid));
        slot.open(generation);
        Endpoint endpoint = new Endpoint(this, sid, generation, slot);
        endpoints[sid] = endpoint;
        return endpoint;
    }

    /**
     * The socket with an id that the process named, or null if there is none.
     *
     * @param sid any number
     * @return the socket or null
     */
    public Endpoint endpoint(int sid) {
        return sid >= 0 && sid < endpoints.length ? endpoints[sid] : null;
    }

    /**
     * The socket with the lowest id of at least {@code from}, or null; for iteration while sockets may be removed.
     *
     * @param from 0 or more
     * @return the socket or null
     */
    public Endpoint nextEndpoint(int from) {
        int sid = usedSids.nextSetBit(from);
        return sid < 0 ? null : endpoints[sid];
    }

    /**
     * Removes a socket that was released; its id may be used again.
     *
     * @param endpoint a socket of this process
     */
    public void removeEndpoint(Endpoint endpoint) {
        endpoints[endpoint.sid] = null;
        usedSids.clear(endpoint.sid);
        sockets--;
        counters.sockets(sockets);
    }

    /**
     * The number of its sockets.
     *
     * @return 0 or more, including those that linger
     */
    public int sockets() {
        return sockets;
    }

    /**
     * The number of slots.
     *
     * @return as the constructor was given
     */
    public int maxSockets() {
        return endpoints.length;
    }

    /**
     * The number of entries of the request ring.
     *
     * @return a power of two
     */
    public int requestDepth() {
        return requestDepth;
    }

    @Override
    public void created(int number, SharedRegion region) throws IOException {
        if (descriptors() >= limits.descriptors()) {
            throw new QuotaExceededException("the process already has " + descriptors() + " descriptors");
        }
        receiveRegions.put(number, new ReceiveRegion(region, device.map(region.memory(), DeviceMapping.Access.WRITE)));
    }

    @Override
    public void allocating(long bytes) throws IOException {
        memory.take(use, identity, bytes);
        countReceiveMemory(bytes);
    }

    @Override
    public void notAllocated(long bytes) {
        memory.give(use, identity, bytes);
        countReceiveMemory(0);
    }

    @Override
    public void dropped(int number, SharedRegion region, long allocated) {
        ReceiveRegion dropped = receiveRegions.remove(number);
        dropped.mapping.close();
        memory.give(use, identity, allocated);
        countReceiveMemory(0);
        if (dropped.announced && !gone) {
            // If the ring is full the event is dropped. This affects only the process itself, which keeps a useless
            // mapping.
            events.offer(CommandType.REGION_DROPPED, number, 0, 0, 0, 0, 0);
        }
    }

    /**
     * Maps another region of send rings for the device; takes ownership of the region, which is charged to {@link #use}.
     *
     * @param number by which the process knows it
     * @param region mapped, and checked
     * @throws IOException if the device cannot map it
     */
    public void addSendRegion(int number, SharedRegion region) throws IOException {
        DeviceMapping mapping;
        try {
            mapping = device.map(region.memory(), DeviceMapping.Access.READ);
        } catch (IOException | RuntimeException e) {
            region.close();
            use.giveSendMemory(region.size());
            throw e;
        }
        mapped(region.size());
        sendRegions.put(number, new SendRegion(region, mapping, this::unmapped));
    }

    /**
     * Counts memory of the process's that the driver maps, which is charged to {@link #use}.
     *
     * @param bytes of an object
     */
    public void mapped(long bytes) {
        mappedRegions++;
        sendMemory += bytes;
        counters.sendMemory(sendMemory);
    }

    private void unmapped(SharedRegion region) {
        unmapped(region, region.size());
    }

    /**
     * Unmaps memory of the process's that no command of the device uses any more.
     *
     * @param memory closed later
     * @param bytes of it
     */
    public void unmapped(AutoCloseable memory, long bytes) {
        mappedRegions--;
        sendMemory -= bytes;
        use.giveSendMemory(bytes);
        counters.sendMemory(sendMemory);
        closeSoon(memory);
    }

    /**
     * Takes memory of the driver's for another page that the process reads.
     *
     * @param bytes how much
     * @throws IOException if that exceeds a quota
     */
    public void allocatingPage(long bytes) throws IOException {
        if (pageBytes + receivePool.allocatedBytes() + bytes > limits.receiveMemory()) {
            throw new QuotaExceededException("quota of receive memory: " + (pageBytes + receivePool.allocatedBytes())
                    + " of " + limits.receiveMemory() + " bytes in use");
        }
        memory.take(use, identity, bytes);
        pageBytes += bytes;
        countReceiveMemory(0);
    }

    /**
     * Gives such a page back.
     *
     * @param page closed later; null if it was not made
     * @param bytes as they were taken
     */
    public void freePage(SharedRegion page, long bytes) {
        memory.give(use, identity, bytes);
        pageBytes -= bytes;
        countReceiveMemory(0);
        if (page != null) {
            closeSoon(page);
        }
    }

    private void countReceiveMemory(long more) {
        counters.receiveMemory(pageBytes + receivePool.allocatedBytes() + more);
    }

    /**
     * Has another thread close a region, because the kernel takes milliseconds to unmap a large region and to free its
     * pages. This is a chore, because one duty cycle may release many regions.
     */
    private void closeSoon(AutoCloseable memory) {
        chores.add(now -> {
            disposal.close(memory);
            return false;
        });
    }

    /**
     * Number of descriptors that the driver has open for the process.
     *
     * @return one for each doorbell and each region
     */
    public int descriptors() {
        return mappedRegions + receiveRegions.size() + doorbells.size();
    }

    /**
     * The size of the lib page.
     *
     * @return in bytes
     */
    public long libPageSize() {
        return libPage.size();
    }

    /**
     * The size of the driver page.
     *
     * @return in bytes
     */
    public long driverPageSize() {
        return driverPage.size();
    }

    /**
     * The descriptor of the driver page, for the process.
     *
     * @return owned by the process
     */
    public Fd driverPageFd() {
        return driverPage.fd();
    }

    /**
     * The device address of a receive region.
     *
     * @param region its number
     * @return as the device gave it
     */
    public long receiveAddress(int region) {
        return receiveRegions.get(region).mapping.address();
    }

    /**
     * A receive region.
     *
     * @param region its number
     * @return owned by the process
     */
    public SharedRegion receiveRegion(int region) {
        return receiveRegions.get(region).region;
    }

    /**
     * Whether the region's descriptor must be sent to the process.
     *
     * @param region its number
     * @return true only at the first call
     */
    public boolean announce(int region) {
        ReceiveRegion entry = receiveRegions.get(region);
        boolean first = !entry.announced;
        entry.announced = true;
        return first;
    }

    /**
     * Does a step of {@link #close}. Called when no command of the device uses the process's memory any more.
     *
     * @return false if that was the last step
     */
    public boolean closeSome() {
        gone = true;
        if (receivePool.closeOne()) {
            return true;
        }
        if (regionsToRemove == null) {
            regionsToRemove = sendRegions.values().iterator();
        }
        if (regionsToRemove.hasNext()) {
            regionsToRemove.next().remove();
            return true;
        }
        if (!doorbells.isEmpty()) {
            disposal.account(identity).close(doorbells.removeLast().socket);
            return true;
        }
        closeSoon(libPage);
        closeSoon(driverPage);
        counters.close();
        return false;
    }

    /** Closes everything except the memory, which chores close later. */
    @Override
    public void close() {
        while (closeSome()) {
            // Repeat until nothing is left.
        }
    }

    @Override
    public String toString() {
        return "process " + identity.pid() + " (attachment " + cid + ")";
    }
}
