// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.active.operation.CompletionPageDescriptor;
import io.pipedevice.active.operation.OperationPageDescriptor;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.device.Device;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.region.Grant;
import io.pipedevice.driver.region.Handle;
import io.pipedevice.driver.region.Names;
import io.pipedevice.driver.region.Operations;
import io.pipedevice.driver.region.Region;
import io.pipedevice.driver.region.RegionUser;
import io.pipedevice.driver.region.Rights;
import io.pipedevice.driver.region.Shared;
import io.pipedevice.driver.region.WantedOwner;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.memory.LentRegion;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;

/** Handles the messages about regions and queue pairs ({@link RegionMessage}). Belongs to the driver's thread. */
public final class RegionControl {
    /** Far beyond what any memory has, so that sums of sizes and offsets stay positive. */
    private static final long MAX_SIZE = 1L << 46;

    private static final String FEW_DIGITS =
            "a container is named by at least " + Identity.MIN_DIGITS + " digits of its ID";

    private final Device device;
    private final Attachments attachments;
    private final Operations operations;
    private final Names<Region> names;
    private final Rights rights;
    private final Chores chores;

    /**
     * Begins without regions.
     *
     * @param device maps regions
     * @param attachments knows the quotas
     * @param operations has the processes
     * @param chores does long work in steps
     */
    public RegionControl(Device device, Attachments attachments, Operations operations, Chores chores) {
        this.device = device;
        this.attachments = attachments;
        this.operations = operations;
        this.names = operations.names();
        this.rights = operations.rights();
        this.chores = chores;
    }

    /** Unmaps memory that is not needed after all. */
    void dispose(AutoCloseable memory) {
        attachments.dispose(memory);
    }

    /** The operations on regions. */
    Operations operations() {
        return operations;
    }

    /** Handles a message. */
    Reply handle(ControlRequest waiting) throws Refusal {
        RegionMessage request = new RegionMessage(waiting.message());
        RegionUser user = operations.user(waiting.process());
        return switch (waiting.message().type()) {
            case RegionMessage.OPEN_QUEUES -> openQueues(waiting, user, request);
            case RegionMessage.REGISTER -> register(waiting, user, request);
            case RegionMessage.GRANT -> grant(own(user, request).target, request);
            case RegionMessage.PUBLISH -> publish(user, request);
            case RegionMessage.DEREGISTER -> deregister(waiting, user, request);
            case RegionMessage.FIND -> find(user, request);
            default -> release(user, request);
        };
    }

    private Reply openQueues(ControlRequest waiting, RegionUser user, RegionMessage request) throws Refusal {
        int queues = request.queues();
        int depth = request.depth();
        if (user.isOpen()
                || queues < 1
                || queues > OperationPageDescriptor.MAX_QUEUES
                || !OperationPageDescriptor.isDepth(depth)) {
            throw new Refusal(Errno.EINVAL, queues + " queue pairs of depth " + depth + ", or the second time");
        }
        long size = Memory.wholePages(OperationPageDescriptor.length(depth, queues));
        if (request.size() != size || waiting.fds().count() != 1) {
            throw new Refusal(Errno.EINVAL, "the operation page must be one memory object of " + size + " bytes");
        }
        return prepare(
                waiting,
                size,
                CompletionPageDescriptor.length(depth, queues),
                (operations, completions) -> user.open(operations, completions, queues, depth));
    }

    /**
     * Prepares two pages, of the process and of the driver, whose descriptor and size are the answer then.
     *
     * @param size of the page of the process, in whole pages
     * @param driversSize of the page of the driver
     * @param user takes over both pages, the process's first
     */
    Reply prepare(ControlRequest waiting, long size, long driversSize, BiConsumer<SharedRegion, SharedRegion> user)
            throws Refusal {
        Attachments.checkDescriptors(waiting.process());
        Attachments.takeSendMemory(waiting.process(), size);
        QueuePages pages = pages(waiting, size, Memory.wholePages(driversSize), user);
        chores.add(pages);
        return pages;
    }

    private QueuePages pages(
            ControlRequest waiting, long size, long driversSize, BiConsumer<SharedRegion, SharedRegion> user)
            throws Refusal {
        AttachedProcess process = waiting.process();
        ReceivedFds fds = waiting.fds();
        SharedRegion page = null;
        boolean charged = false;
        try {
            page = SharedRegion.attach(fds.take(0), size, fds.closer());
            process.allocatingPage(driversSize);
            charged = true;
            SharedRegion drivers = SharedRegion.create("pd-completions", driversSize, false);
            return new QueuePages(waiting, attachments, page, drivers, user);
        } catch (IOException e) {
            if (charged) {
                process.freePage(null, driversSize);
            }
            if (page != null) {
                attachments.dispose(page);
            }
            process.use.giveSendMemory(size);
            throw Refusal.exhausted(e, Errno.EINVAL, "cannot map the page");
        }
    }

    private Reply register(ControlRequest waiting, RegionUser user, RegionMessage request) throws Refusal {
        AttachedProcess process = waiting.process();
        ReceivedFds fds = waiting.fds();
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
        RegionPreparation region =
                new RegionPreparation(waiting, user, memory, size, attachments, device, chores);
        chores.add(region);
        return region;
    }

    private static Handle<Region> own(RegionUser user, RegionMessage request) throws Refusal {
        Handle<Region> handle = user.handles.handle(request.handle());
        if (handle == null || !handle.isOwners()) {
            throw new Refusal(Errno.EINVAL, "no region of this process has the handle " + request.handle());
        }
        return handle;
    }

    /** Gives rights to something of the process. */
    static Reply grant(Shared target, RegionMessage request) throws Refusal {
        int rights = request.rights();
        int subject = request.subject();
        String container = request.text();
        if ((rights & ~RegionMessage.ALL) != 0 || subject < RegionMessage.ANYONE || subject > RegionMessage.CONTAINER) {
            throw new Refusal(Errno.EINVAL, "rights " + rights + " of a subject " + subject);
        }
        if (subject == RegionMessage.CONTAINER && container.length() < Identity.MIN_DIGITS) {
            throw new Refusal(Errno.EINVAL, FEW_DIGITS);
        }
        if (!target.grant(new Grant(subject, request.user(), container, rights))) {
            throw new Refusal(Errno.ENOBUFS, "there are too many grants");
        }
        request.answer();
        return Reply.answer();
    }

    private Reply publish(RegionUser user, RegionMessage request) throws Refusal {
        Region region = own(user, request).target;
        String name = checkedName(request.text());
        if (region.isNamed()) {
            throw new Refusal(Errno.EINVAL, "the region has a name");
        }
        if (!names.publish(region, name)) {
            throw new Refusal(Errno.EEXIST, "another region of this user and container is " + name);
        }
        request.answer();
        return Reply.answer();
    }

    /** The name itself, if one may be given to a region or a function. */
    static String checkedName(String name) throws Refusal {
        if (name.isBlank() || name.getBytes(StandardCharsets.UTF_8).length > RegionMessage.MAX_NAME) {
            throw new Refusal(Errno.EINVAL, "a name has 1 to " + RegionMessage.MAX_NAME + " bytes");
        }
        return name;
    }

    private static Reply deregister(ControlRequest waiting, RegionUser user, RegionMessage request) throws Refusal {
        user.handles.deregister(own(user, request), waiting::resume);
        return new AwaitedEnd(request);
    }

    private Reply find(RegionUser user, RegionMessage request) throws Refusal {
        String name = checkedName(request.firstText());
        int needed = request.rights();
        WantedOwner wanted = wantedOwner(request);
        List<Region> found = names.find(name, user.process, each -> wanted.matches(each.owner.identity));
        if (found.isEmpty()) {
            throw new Refusal(Errno.ENOENT, "no region is " + name);
        }
        String container = requireOneOwner(found, user.process, needed);
        found.removeIf(region -> !Rights.suffice(rights.of(region, user.process), needed));
        if (found.isEmpty()) {
            throw new Refusal(
                    Errno.EACCES, "container " + container + " has not given this process the rights to " + name);
        }
        return found(user, found.getFirst(), request);
    }

    /** The owner for which a process looks. */
    static WantedOwner wantedOwner(RegionMessage request) throws Refusal {
        WantedOwner wanted = new WantedOwner(request.subject(), request.user(), request.secondText());
        if (!wanted.isValid()) {
            throw new Refusal(Errno.EINVAL, FEW_DIGITS);
        }
        return wanted;
    }

    /**
     * Leaves those that the policy permits, and refuses a name that several owners have published. What the owners have
     * granted does not matter: the one that a process means may grant later than another one. Returns the container of the
     * owner, for a person.
     */
    String requireOneOwner(List<? extends Shared> found, AttachedProcess process, int needed) throws Refusal {
        String container = Names.container(found.getFirst().owner);
        found.removeIf(each -> !rights.mayHave(each, process, needed));
        if (found.isEmpty()) {
            throw new Refusal(
                    Errno.EACCES,
                    "the policy gives this process no such right to what container " + container + " has");
        }
        String several = Names.severalOwners(found);
        if (several != null) {
            throw new Refusal(Errno.ENOTUNIQ, several);
        }
        return Names.container(found.getFirst().owner);
    }

    /** Lets a process have a region to which it has rights. */
    Reply found(RegionUser user, Region region, RegionMessage request) throws Refusal {
        if (!user.handles.hasRoom()) {
            throw new Refusal(Errno.ENOBUFS, "the process has too many regions");
        }
        Handle<Region> handle = user.handles.enter(region, false);
        int given = rights.of(region, user.process);
        request.answer()
                .handle(handle.number())
                .rights(given)
                .size(region.size())
                .process(region.owner.identity.pid())
                .subject(RegionMessage.USER, region.owner.identity.uid())
                .text(region.owner.identity.containerName());
        boolean direct = (given & RegionMessage.READ) != 0 && rights.isDirect(region, user.process);
        return direct ? Reply.answer(region.fd()) : Reply.answer();
    }

    private static Reply release(RegionUser user, RegionMessage request) throws Refusal {
        Handle<Region> handle = user.handles.handle(request.handle());
        if (handle == null || handle.isOwners()) {
            throw new Refusal(Errno.EINVAL, "no region was found by the handle " + request.handle());
        }
        user.handles.release(handle);
        request.answer();
        return Reply.answer();
    }
}
