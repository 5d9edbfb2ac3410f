// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.policy.Limits;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.share.ProcessCounters;
import io.pipedevice.driver.share.ProcessLimits;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.ReceiveBufferTable;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.EntryRingProducer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The data path of a driver in simulated time: duty cycles of requests, {@link CopyScheduler}, emulator and
 * completions, one after the other on the test's thread. Processes are {@link SimulatedStream}s, which run between the
 * cycles.
 */
final class SimulatedDriver implements AutoCloseable {
    /** As many as {@code PdOptions} has by default. */
    static final int REQUEST_DEPTH = 4096;

    private static final int MAX_PROCESSES = 1024;
    private static final int MAX_SOCKETS = 1024;
    private static final int COPIES_IN_FLIGHT = 1024;
    private static final long MAX_RING = 1 << 20;

    final DriverCounters counters;
    final CopyScheduler copies;
    final Completions completions;
    final RequestReader requests;
    private final Device device;
    private final ConnectionTable connections = new ConnectionTable(MAX_PROCESSES * 2);
    private final Chores chores = new Chores();
    private final Disposal disposal = new Disposal();
    private final Teardown teardown;
    private final DriverMemory memory;
    private final FaultyProcesses faulty = new FaultyProcesses();
    private final Notifier notifier;
    private final Identity identity;
    private final SharedRegion sent;
    private final SharedRegion received;
    private final SendRegion sendRegion;
    private final long sendBase;
    private final long receiveBase;
    private final List<AttachedProcess> processes = new ArrayList<>();
    private final List<Attachment> attachments = new ArrayList<>();
    private final List<SharedRegion> pages = new ArrayList<>();
    private long nowNs = 1;

    /** A process of a container of its own. */
    record Attachment(
            AttachedProcess process,
            EntryRingProducer posts,
            MemorySegment libPage,
            ArrayDeque<SimulatedStream> streams) {
        /** Lets the threads of the process post in turn, until none of them can. */
        void run(CopyScheduler copies) {
            streams.forEach(stream -> stream.read(copies));
            for (int failures = 0; failures < streams.size(); ) {
                SimulatedStream next = streams.remove();
                failures = next.post() ? 0 : failures + 1;
                streams.add(next);
            }
        }
    }

    SimulatedDriver(DmaEmulator.Context emulator) throws IOException {
        this(new DmaEmulator(emulator));
    }

    SimulatedDriver(Device device) throws IOException {
        this.device = device;
        counters = new DriverCounters(MAX_PROCESSES, device.health());
        notifier = new Notifier(faulty, counters);
        completions = new Completions(device, connections, notifier, faulty, counters);
        copies = new CopyScheduler(device, completions, faulty, counters);
        teardown = new Teardown(copies, connections, endpoint -> {}, notifier, faulty, counters, chores);
        requests = new RequestReader(copies, teardown, faulty, counters);
        memory = new DriverMemory(1L << 40, device, false, disposal, chores, counters);
        identity = Identity.ofProcess((int) ProcessHandle.current().pid());
        sent = SharedRegion.create("pd-sent", MAX_RING, false);
        sent.allocate(0, MAX_RING);
        received = SharedRegion.create("pd-received", MAX_RING, false);
        received.allocate(0, MAX_RING);
        sendRegion = new SendRegion(sent, device.map(sent.memory(), DeviceMapping.Access.READ), SharedRegion::close);
        sendBase = sendRegion.address(0, (int) MAX_RING);
        receiveBase = device.map(received.memory(), DeviceMapping.Access.WRITE).address();
    }

    /** A container without limits. */
    Attachment attach() throws IOException {
        return attach(Limits.NONE);
    }

    /** The only process of a container. */
    Attachment attach(Limits limits) throws IOException {
        int cid = attachments.size() + 1;
        ContainerUse use = new ContainerUse(identity);
        use.attachments(1);
        use.limit(limits, nowNs);
        SharedRegion libPage = page("pd-lib", LibPageDescriptor.length(REQUEST_DEPTH, MAX_SOCKETS));
        SharedRegion driverPage = page("pd-driver", DriverPageDescriptor.length(MAX_SOCKETS));
        AttachedProcess process = new AttachedProcess(
                new AttachmentTerms(
                        cid,
                        identity,
                        use,
                        new ProcessLimits(MAX_SOCKETS, 1L << 40, 1L << 40, 0, MAX_SOCKETS),
                        new ProcessCounters(counters, cid, "test")),
                new ProcessPages(libPage, driverPage, REQUEST_DEPTH, MAX_SOCKETS),
                memory,
                disposal,
                nowNs);
        EntryRingProducer posts = new EntryRingProducer(
                libPage.memory().asSlice(LibPageDescriptor.REQUESTS_OFFSET),
                REQUEST_DEPTH,
                driverPage.memory(),
                DriverPageDescriptor.REQUESTS_CONSUMED_OFFSET);
        Attachment attachment = new Attachment(process, posts, libPage.memory(), new ArrayDeque<>());
        processes.add(process);
        attachments.add(attachment);
        return attachment;
    }

    private SharedRegion page(String name, long size) throws IOException {
        SharedRegion page = SharedRegion.create(name, size, false);
        pages.add(page);
        return page;
    }

    /**
     * A connection. The rings of all connections are the same memory.
     *
     * @param distance between the beginnings of messages in the send ring; messages that do not touch are not gathered
     */
    SimulatedStream stream(Attachment from, Attachment to, int message, int distance, int ring) {
        Endpoint sender = socket(from.process, ring);
        connections.add(sender, socket(to.process, ring));
        SimulatedStream stream = new SimulatedStream(sender, from.posts, to.libPage, message, distance);
        from.streams.add(stream);
        return stream;
    }

    private Endpoint socket(AttachedProcess process, int ring) {
        Endpoint endpoint = process.sockets.add();
        endpoint.state = Endpoint.State.CONNECTED;
        endpoint.known = true;
        endpoint.opened = true;
        endpoint.sendRegion = sendRegion;
        endpoint.sendBase = sendBase;
        endpoint.sendSize = ring;
        endpoint.receiveBase = receiveBase;
        endpoint.received = new ReceiveBufferTable(ring, COPIES_IN_FLIGHT);
        endpoint.sends = new SendQueue(ControlMessage.MAX_OUTSTANDING_SENDS, copies.gatherLimit());
        endpoint.sends.ringSize(ring);
        return endpoint;
    }

    /** Lets the processes post and read, then does a duty cycle in which no process breaks a rule. */
    void cycle(long takesNs) {
        run(takesNs);
        if (faulty.first() != null) {
            throw new AssertionError(faulty.first().reason());
        }
    }

    /** Lets the processes post and read, then does a duty cycle. */
    void run(long takesNs) {
        attachments.forEach(attachment -> attachment.run(copies));
        nowNs += takesNs;
        for (AttachedProcess process : processes) {
            copies.unthrottle(process, nowNs);
        }
        requests.takeTurns(processes, List.of(), nowNs);
        copies.submit(nowNs, teardown);
        device.poll();
        completions.complete(teardown);
    }

    /** Wakes the threads that sleep. */
    void wake() {
        notifier.run(nowNs);
    }

    FaultyProcesses faulty() {
        return faulty;
    }

    /** Makes each use of a process's page by the driver fail, as a defect of the driver would. */
    void spoil(Attachment attachment) {
        pages.get(2 * attachments.indexOf(attachment) + 1).close();
    }

    /** The same with the page of the process itself. */
    void spoilArms(Attachment attachment) {
        pages.get(2 * attachments.indexOf(attachment)).close();
    }

    /** Resets a connection. */
    void reset(SimulatedStream stream) {
        teardown.reset(stream.connection(), Errno.ECONNRESET);
    }

    @Override
    public void close() {
        device.close();
        pages.forEach(SharedRegion::close);
        received.close();
        sent.close();
        counters.close();
        disposal.close();
    }
}
