// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

import io.pipedevice.device.Device;
import io.pipedevice.driver.account.Account;
import io.pipedevice.driver.account.Accounts;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.AttachmentTerms;
import io.pipedevice.driver.data.ContainerUse;
import io.pipedevice.driver.data.ContainerUses;
import io.pipedevice.driver.data.DriverMemory;
import io.pipedevice.driver.data.ProcessDoorbell;
import io.pipedevice.driver.data.ProcessPages;
import io.pipedevice.driver.data.SendRegion;
import io.pipedevice.driver.identity.AddressBook;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.policy.Policy;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.share.ProcessCounters;
import io.pipedevice.driver.share.SharedQuota;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.QuotaExceededException;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.ContainerName;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.protocol.StatusPageDescriptor;
import io.pipedevice.queue.CommandDescriptor;
import io.pipedevice.queue.CommandQueueDescriptor;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.function.Consumer;

/**
 * Attaches processes, and maps and unmaps their memory. Owns the status page. Belongs to the driver's thread.
 */
public final class Attachments implements AutoCloseable {
    /** The driver page takes at most this part of a process's memory. */
    private static final int PAGE_PART = 8;

    private final SessionSettings settings;
    private final DriverCounters counters;
    private final Accounts accounts;
    private final Disposal disposal;
    private final Chores chores;
    private final SharedRegion statusPage;
    private final AddressBook addresses;
    private final SharedQuota processes;
    private final DriverMemory memory;
    private final ContainerUses uses;
    private final BitSet usedCids = new BitSet();
    private int attached;

    /**
     * Allocates the status page.
     *
     * @param settings the driver's configuration
     * @param policy says what containers may use
     * @param device maps the memory of processes
     * @param counters of the driver
     * @param accounts of the containers
     * @param disposal closes descriptors and memory that processes passed
     * @param chores does long work in steps
     * @throws IOException if there is no memory
     */
    public Attachments(
            SessionSettings settings,
            Policy policy,
            Device device,
            DriverCounters counters,
            Accounts accounts,
            Disposal disposal,
            Chores chores)
            throws IOException {
        this.settings = settings;
        this.counters = counters;
        this.accounts = accounts;
        this.disposal = disposal;
        this.chores = chores;
        this.addresses = new AddressBook(chores, counters);
        this.uses = new ContainerUses(policy);
        this.processes = new SharedQuota(settings.maxProcesses());
        this.memory =
                new DriverMemory(settings.totalMemory(), device, settings.hugePages(), disposal, chores, counters);
        this.statusPage = SharedRegion.create("pd-status", StatusPageDescriptor.length(), false);
        statusPage.allocate(0, statusPage.size());
        statusPage
                .memory()
                .set(ValueLayout.JAVA_LONG, StatusPageDescriptor.VERSION_OFFSET, StatusPageDescriptor.VERSION);
        statusPage.memory().set(ValueLayout.JAVA_LONG, StatusPageDescriptor.MAGIC_OFFSET, StatusPageDescriptor.MAGIC);
    }

    /**
     * The status page, which all processes map.
     *
     * @return owned by this
     */
    public SharedRegion statusPage() {
        return statusPage;
    }

    /**
     * Attaches the process at the other end of a session, in steps. The status page and the page of the driver are part
     * of the answer.
     *
     * @param request of a process that has not attached
     * @param attached gets the process when it is attached
     * @return later
     * @throws Refusal if it may not attach like this
     */
    public Reply attach(ControlRequest request, Consumer<AttachedProcess> attached) throws Refusal {
        ControlMessage message = request.message();
        int depth = message.value();
        long libPageSize = message.argument();
        check(depth, message.socketId(), libPageSize, request.fds());
        Arrival arrival = new Arrival(
                this, request, request.fds().take(0), libPageSize, depth, granted(message.socketId()), attached);
        chores.add(arrival);
        return arrival;
    }

    /** Makes the attachment of a process whose pages are ready. */
    AttachedProcess create(Arrival arrival, ControlSession session, int depth, int maxSockets, long nowNs) {
        int cid = usedCids.nextClearBit(1);
        Identity identity = arrival.identity();
        AttachedProcess process = new AttachedProcess(
                new AttachmentTerms(
                        cid,
                        identity,
                        arrival.use(),
                        settings.limits(),
                        new ProcessCounters(counters, cid, label(cid, identity))),
                new ProcessPages(arrival.libPage(), arrival.driverPage(), depth, maxSockets),
                memory,
                disposal,
                nowNs);
        usedCids.set(cid);
        counters.processes(++attached);
        Account account =
                accounts.enter(identity.container(), identity.controlGroup().podUid(), identity.pid());
        accounts.attached(cid, account, process.counters, process.share, nowNs);
        session.attached(process, account);
        return process;
    }

    /**
     * What the counters of an attachment are of. The doctor and the metrics look for the number of the process at its
     * end.
     */
    private static String label(int cid, Identity identity) {
        return "attachment " + cid + " in " + ContainerName.shown(identity.containerName()) + " pid " + identity.pid();
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
        long required = Memory.wholePages(LibPageDescriptor.length(depth, maxSockets));
        if (size != required || fds.count() != 1) {
            throw new Refusal(Errno.EINVAL, "the lib page must be one memory object of " + required + " bytes");
        }
        if (size > settings.limits().sendMemory()) {
            throw new Refusal(
                    Errno.ENOBUFS,
                    "quota of send memory: the lib page has " + size + " of "
                            + settings.limits().sendMemory() + " bytes");
        }
    }

    /**
     * The number of slots for sockets: as requested, but limited by the policy and by the part of the process's
     * memory that the driver page may take.
     */
    private int granted(int sockets) {
        int granted = Math.min(sockets, settings.limits().sockets());
        while (DriverPageDescriptor.length(granted) > settings.limits().receiveMemory() / PAGE_PART) {
            granted /= 2;
        }
        return granted;
    }

    /**
     * Charges an attachment and its pages to the user and its network namespace, and to its container, before they are
     * allocated.
     */
    ContainerUse count(Identity identity, long libPageSize, long driverPageSize, long nowNs) throws Refusal {
        if (!processes.take(identity.uid(), identity.networkNamespace(), 1)) {
            throw overShare(Errno.EMFILE, processes, "attached processes");
        }
        ContainerUse use = uses.attach(identity, nowNs);
        long lent = 0;
        try {
            use.takeSendMemory(libPageSize);
            lent = libPageSize;
            memory.take(use, identity, driverPageSize);
            return use;
        } catch (QuotaExceededException e) {
            use.giveSendMemory(lent);
            uses.detach(use);
            processes.give(identity.uid(), identity.networkNamespace(), 1);
            throw new Refusal(Errno.ENOBUFS, e.getMessage());
        }
    }

    void uncount(ContainerUse use, Identity identity, long libPageSize, long driverPageSize) {
        processes.give(identity.uid(), identity.networkNamespace(), 1);
        memory.give(use, identity, driverPageSize);
        use.giveSendMemory(libPageSize);
        uses.detach(use);
    }

    /**
     * Takes over the limits of a policy that has changed.
     *
     * @param nowNs the time
     */
    public void policyChanged(long nowNs) {
        uses.policyChanged(nowNs);
    }

    private Refusal overShare(int errno, SharedQuota quota, String what) {
        if (quota.taken() < quota.stock()) {
            counters.shareRefusals.add(1);
            return new Refusal(
                    errno,
                    "the user or its network namespace has used its share of the driver's " + quota.stock() + " "
                            + what);
        }
        return new Refusal(errno, "the driver already has " + quota.stock() + " " + what);
    }

    /**
     * The addresses of all processes.
     *
     * @return owned by this
     */
    public AddressBook addresses() {
        return addresses;
    }

    /**
     * Unmaps a region in the background, because it may be large.
     *
     * @param region taken over
     */
    public void dispose(AutoCloseable region) {
        disposal.close(region);
    }

    /**
     * Adds a region of send rings.
     *
     * @param request of an attached process
     * @return the answer
     * @throws Refusal if it is invalid, or exceeds a limit
     */
    public Reply addRegion(ControlRequest request) throws Refusal {
        AttachedProcess process = request.process();
        ControlMessage message = request.message();
        ReceivedFds fds = request.fds();
        int number = message.value();
        long size = message.argument();
        if (number < 0 || process.memory.sendRegions.containsKey(number) || fds.count() != 1 || size <= 0) {
            throw new Refusal(Errno.EINVAL, "region " + number + " cannot be added");
        }
        checkDescriptors(process);
        takeSendMemory(process, size);
        SharedRegion region = null;
        try {
            region = SharedRegion.attach(fds.take(0), size, fds.closer());
            process.memory.addSendRegion(number, region);
        } catch (IOException | IllegalArgumentException e) {
            if (region == null) {
                process.use.giveSendMemory(size);
            }
            throw Refusal.exhausted(e, Errno.EINVAL, "cannot map the region");
        }
        message.answer();
        return Reply.answer();
    }

    /**
     * Takes memory of a process that the driver maps.
     *
     * @param process that is charged
     * @param size in bytes
     * @throws Refusal if it has used its quota
     */
    public static void takeSendMemory(AttachedProcess process, long size) throws Refusal {
        if (size > process.limits.sendMemory() - process.memory.sendMemory()) {
            throw new Refusal(
                    Errno.ENOBUFS,
                    "quota of send memory: " + process.memory.sendMemory() + " of " + process.limits.sendMemory()
                            + " bytes in use");
        }
        try {
            process.use.takeSendMemory(size);
        } catch (QuotaExceededException e) {
            throw new Refusal(Errno.ENOBUFS, e.getMessage());
        }
    }

    /**
     * Checks whether the driver may open another descriptor for a process.
     *
     * @param process any
     * @throws Refusal if it has used its quota
     */
    public static void checkDescriptors(AttachedProcess process) throws Refusal {
        if (process.descriptors() >= process.limits.descriptors()) {
            throw new Refusal(
                    Errno.EMFILE,
                    "the process already has " + process.descriptors() + " doorbells and regions of memory");
        }
    }

    /**
     * Removes a region that the process no longer needs. It stays mapped while a closing socket uses one of its
     * rings.
     *
     * @param request of an attached process
     * @return the answer
     * @throws Refusal if there is no such region
     */
    public Reply removeRegion(ControlRequest request) throws Refusal {
        SendRegion region =
                request.process().memory.sendRegions.remove(request.message().value());
        if (region == null) {
            throw new Refusal(Errno.EINVAL, "no such region");
        }
        region.remove();
        request.message().answer();
        return Reply.answer();
    }

    /**
     * Adds a doorbell, whose other end the process gets.
     *
     * @param request of an attached process
     * @return the answer
     * @throws Refusal if the process has too many
     */
    public Reply addDoorbell(ControlRequest request) throws Refusal {
        AttachedProcess process = request.process();
        checkDescriptors(process);
        int doorbells = process.doorbells.size();
        // Threads can share a doorbell, but connections need regions.
        if (doorbells > ArmWord.MAX_DOORBELL || doorbells >= process.limits.descriptors() / 2) {
            throw new Refusal(Errno.EMFILE, "the process already has " + doorbells + " doorbells");
        }
        try {
            UnixSocket[] pair = doorbell();
            request.message().answer().value(process.doorbells.size());
            process.doorbells.add(new ProcessDoorbell(pair[0]));
            return Reply.answer(pair[1].fd()).closing(pair[1].fd());
        } catch (IOException e) {
            throw Refusal.exhausted(e, Errno.EINVAL, "cannot make a doorbell");
        }
    }

    /** Both ends; a message that rings the first one carries no descriptor. */
    private static UnixSocket[] doorbell() throws LinuxException {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        try {
            pair[0].passRights(false);
            return pair;
        } catch (LinuxException e) {
            pair[0].close();
            pair[1].close();
            throw e;
        }
    }

    /**
     * Gives an observer the counters.
     *
     * @param request of a process that has not attached
     * @return the answer
     */
    public Reply observe(ControlRequest request) {
        request.session().observes();
        request.message().answer().argument(counters.region().size()).value(counters.metadataLength());
        return Reply.answer(counters.region().fd());
    }

    /**
     * Releases the resources of a process, in steps.
     *
     * @param process that is gone, and has no sockets
     */
    public void detach(AttachedProcess process) {
        chores.add(now -> {
            if (process.closeSome()) {
                return true;
            }
            usedCids.clear(process.cid);
            accounts.detached(process.cid, process.identity.pid(), now);
            uncount(
                    process.use,
                    process.identity,
                    process.pages.lib().size(),
                    process.pages.driver().size());
            addresses.giveBack(process.identity);
            counters.processes(--attached);
            return false;
        });
    }

    @Override
    public void close() {
        statusPage.close();
    }
}
