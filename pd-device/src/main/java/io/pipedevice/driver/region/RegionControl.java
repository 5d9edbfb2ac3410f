// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.operation.CompletionPageDescriptor;
import io.pipedevice.active.operation.OperationPageDescriptor;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.device.Device;
import io.pipedevice.driver.control.Attachments;
import io.pipedevice.driver.control.ControlRequest;
import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.control.Reply;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.memory.LentRegion;
import java.io.IOException;
import java.util.List;

/** Handles the messages about regions and queue pairs ({@link RegionMessage}). Belongs to the driver's thread. */
public final class RegionControl {
    /** Far beyond what any memory has, so that sums of sizes and offsets stay positive. */
    private static final long MAX_SIZE = 1L << 46;

    private final Device device;
    private final Attachments attachments;
    private final Operations operations;
    private final SharedMessages shared;
    private final Names<RegisteredRegion> names;
    private final Rights rights;
    private final Chores chores;

    /**
     * Begins without regions.
     *
     * @param device maps regions
     * @param attachments knows the quotas
     * @param operations has the processes
     * @param shared handles what such messages have in common with others
     * @param chores does long work in steps
     */
    public RegionControl(
            Device device, Attachments attachments, Operations operations, SharedMessages shared, Chores chores) {
        this.device = device;
        this.attachments = attachments;
        this.operations = operations;
        this.shared = shared;
        this.names = operations.names();
        this.rights = operations.rights();
        this.chores = chores;
    }

    /**
     * Handles a message.
     *
     * @param received from an attached process, {@link RegionMessage of one of these types}
     * @return the answer, which may come later
     * @throws Refusal if it is invalid, or not permitted, or exceeds a limit
     */
    public Reply handle(ControlRequest received) throws Refusal {
        RegionMessage request = new RegionMessage(received.message());
        RegionUser user = operations.user(received.process());
        return switch (received.message().type()) {
            case RegionMessage.OPEN_QUEUES -> openQueues(received, user, request);
            case RegionMessage.REGISTER -> register(received, user, request);
            case RegionMessage.GRANT -> SharedMessages.grant(own(user, request).target, request);
            case RegionMessage.PUBLISH -> publish(user, request);
            case RegionMessage.DEREGISTER -> deregister(received, user, request);
            case RegionMessage.FIND -> find(user, request);
            default -> release(user, request);
        };
    }

    private Reply openQueues(ControlRequest received, RegionUser user, RegionMessage request) throws Refusal {
        int queues = request.queues();
        int depth = request.depth();
        if (user.isOpen()
                || queues < 1
                || queues > OperationPageDescriptor.MAX_QUEUES
                || !OperationPageDescriptor.isDepth(depth)) {
            throw new Refusal(Errno.EINVAL, queues + " queue pairs of depth " + depth + ", or the second time");
        }
        long size = Memory.wholePages(OperationPageDescriptor.length(depth, queues));
        if (request.size() != size || received.fds().count() != 1) {
            throw new Refusal(Errno.EINVAL, "the operation page must be one memory object of " + size + " bytes");
        }
        return shared.preparePages(
                received,
                size,
                CompletionPageDescriptor.length(depth, queues),
                (operations, completions) -> user.open(operations, completions, queues, depth));
    }

    private Reply register(ControlRequest received, RegionUser user, RegionMessage request) throws Refusal {
        AttachedProcess process = received.process();
        ReceivedFds fds = received.fds();
        long size = request.size();
        if (size <= 0 || size > MAX_SIZE || fds.count() != 1) {
            throw new Refusal(Errno.EINVAL, "a region of " + size + " bytes");
        }
        if (!user.handles.hasRoom()) {
            throw new Refusal(Errno.ENOBUFS, "the process has too many regions");
        }
        Attachments.checkDescriptors(process);
        long pages = Memory.wholePages(size);
        Attachments.takeSendMemory(process, pages);
        LentRegion memory;
        try {
            memory = LentRegion.accept(fds.take(0), pages, fds.closer());
        } catch (IOException | IllegalArgumentException e) {
            process.use.giveSendMemory(pages);
            throw Refusal.exhausted(e, Errno.EINVAL, "cannot map the region");
        }
        RegionPreparation region = new RegionPreparation(received, user, memory, size, attachments, device, chores);
        chores.add(region);
        return region;
    }

    private static Handle<RegisteredRegion> own(RegionUser user, RegionMessage request) throws Refusal {
        Handle<RegisteredRegion> handle = user.handles.handle(request.handle());
        if (handle == null || !handle.isOwners()) {
            throw new Refusal(Errno.EINVAL, "no region of this process has the handle " + request.handle());
        }
        return handle;
    }

    private Reply publish(RegionUser user, RegionMessage request) throws Refusal {
        RegisteredRegion region = own(user, request).target;
        String name = SharedMessages.checkedName(request.text());
        if (region.isNamed()) {
            throw new Refusal(Errno.EINVAL, "the region has a name");
        }
        if (!names.publish(region, name)) {
            throw new Refusal(Errno.EEXIST, "another region of this user and container is " + name);
        }
        request.answer();
        return Reply.answer();
    }

    private static Reply deregister(ControlRequest received, RegionUser user, RegionMessage request) throws Refusal {
        user.handles.deregister(own(user, request), received::resume);
        return SharedMessages.whenEnded(request);
    }

    private Reply find(RegionUser user, RegionMessage request) throws Refusal {
        String name = SharedMessages.checkedName(request.firstText());
        int needed = request.rights();
        WantedOwner wanted = SharedMessages.wantedOwner(request);
        List<RegisteredRegion> found = names.find(name, user.process, each -> wanted.matches(each.owner.identity));
        if (found.isEmpty()) {
            throw new Refusal(Errno.ENOENT, "no region is " + name);
        }
        String container = shared.requireOneOwner(found, user.process, needed);
        found.removeIf(region -> !Rights.suffice(rights.of(region, user.process), needed));
        if (found.isEmpty()) {
            throw new Refusal(
                    Errno.EACCES, "container " + container + " has not given this process the rights to " + name);
        }
        return shared.found(user, found.getFirst(), request);
    }

    private static Reply release(RegionUser user, RegionMessage request) throws Refusal {
        Handle<RegisteredRegion> handle = user.handles.handle(request.handle());
        if (handle == null || handle.isOwners()) {
            throw new Refusal(Errno.EINVAL, "no region was found by the handle " + request.handle());
        }
        user.handles.release(handle);
        request.answer();
        return Reply.answer();
    }
}
