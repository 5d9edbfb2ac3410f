// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.control.Attachments;
import io.pipedevice.driver.control.ControlRequest;
import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.control.Reply;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * What messages about regions have in common with those about functions: pages, names, grants and owners. Belongs to
 * the driver's thread.
 */
public final class SharedMessages {
    private static final String FEW_DIGITS =
            "a container is named by at least " + Identity.MIN_DIGITS + " digits of its ID";

    private final Attachments attachments;
    private final Rights rights;
    private final Chores chores;

    /**
     * Begins.
     *
     * @param attachments knows the quotas
     * @param rights to regions and functions
     * @param chores does long work in steps
     */
    public SharedMessages(Attachments attachments, Rights rights, Chores chores) {
        this.attachments = attachments;
        this.rights = rights;
        this.chores = chores;
    }

    /**
     * Prepares two pages, of the process and of the driver, whose descriptor and size are the answer then.
     *
     * @param received whose descriptor is the page of the process
     * @param size of the page of the process, in whole pages
     * @param driversSize of the page of the driver
     * @param user takes over both pages, the process's first
     * @return later
     * @throws Refusal if the descriptor is no such page, or exceeds a limit
     */
    public Reply preparePages(
            ControlRequest received, long size, long driversSize, BiConsumer<SharedRegion, SharedRegion> user)
            throws Refusal {
        Attachments.checkDescriptors(received.process());
        Attachments.takeSendMemory(received.process(), size);
        QueuePagesPreparation pages = pages(received, size, Memory.wholePages(driversSize), user);
        chores.add(pages);
        return pages;
    }

    private QueuePagesPreparation pages(
            ControlRequest received, long size, long driversSize, BiConsumer<SharedRegion, SharedRegion> user)
            throws Refusal {
        AttachedProcess process = received.process();
        ReceivedFds fds = received.fds();
        SharedRegion page = null;
        boolean charged = false;
        try {
            page = SharedRegion.attach(fds.take(0), size, fds.closer());
            process.memory.allocatingPage(driversSize);
            charged = true;
            SharedRegion drivers = SharedRegion.create("pd-completions", driversSize, false);
            return new QueuePagesPreparation(received, attachments, page, drivers, user);
        } catch (IOException e) {
            if (charged) {
                process.memory.freePage(null, driversSize);
            }
            if (page != null) {
                attachments.dispose(page);
            }
            process.use.giveSendMemory(size);
            throw Refusal.exhausted(e, Errno.EINVAL, "cannot map the page");
        }
    }

    /**
     * Gives rights to something of the process.
     *
     * @param target of the process
     * @param request says which rights, and whose
     * @return the answer
     * @throws Refusal if it is invalid, or there are too many
     */
    public static Reply grant(Shared target, RegionMessage request) throws Refusal {
        int rights = request.rights();
        int subject = request.subject();
        String container = request.text();
        if ((rights & ~RegionMessage.ALL) != 0 || subject < RegionMessage.ANYONE || subject > RegionMessage.CONTAINER) {
            throw new Refusal(Errno.EINVAL, "rights " + rights + " of a subject " + subject);
        }
        if (subject == RegionMessage.CONTAINER && container.length() < Identity.MIN_DIGITS) {
            throw new Refusal(Errno.EINVAL, FEW_DIGITS);
        }
        if (!target.grant(new RightsGrant(subject, request.user(), container, rights))) {
            throw new Refusal(Errno.ENOBUFS, "there are too many grants");
        }
        request.answer();
        return Reply.answer();
    }

    /**
     * Checks a name.
     *
     * @param name any text
     * @return the name itself, if one may be given to a region or a function
     * @throws Refusal if not
     */
    public static String checkedName(String name) throws Refusal {
        if (name.isBlank() || name.getBytes(StandardCharsets.UTF_8).length > RegionMessage.MAX_NAME) {
            throw new Refusal(Errno.EINVAL, "a name has 1 to " + RegionMessage.MAX_NAME + " bytes");
        }
        return name;
    }

    /**
     * The owner for which a process looks.
     *
     * @param request that finds something
     * @return what is said of the owner
     * @throws Refusal if it is invalid
     */
    public static WantedOwner wantedOwner(RegionMessage request) throws Refusal {
        WantedOwner wanted = new WantedOwner(request.subject(), request.user(), request.secondText());
        if (!wanted.isValid()) {
            throw new Refusal(Errno.EINVAL, FEW_DIGITS);
        }
        return wanted;
    }

    /**
     * Leaves those that the policy permits, and refuses a name that several owners have published. What the owners have
     * granted does not matter: the one that a process means may grant later than another one.
     *
     * @param found of the name, at least one; loses those that the policy does not permit
     * @param process that looks for it
     * @param needed the rights
     * @return the container of the owner, for a person
     * @throws Refusal if there is none, or several owners
     */
    public String requireOneOwner(List<? extends Shared> found, AttachedProcess process, int needed) throws Refusal {
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

    /**
     * Lets a process have a region to which it has rights.
     *
     * @param user the process
     * @param region that it has found
     * @param request is answered
     * @return the answer, with the region's descriptor if the process may map it
     * @throws Refusal if it has too many
     */
    public Reply found(RegionUser user, RegisteredRegion region, RegionMessage request) throws Refusal {
        if (!user.handles.hasRoom()) {
            throw new Refusal(Errno.ENOBUFS, "the process has too many regions");
        }
        Handle<RegisteredRegion> handle = user.handles.enter(region, false);
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

    /**
     * Answers a message when something has ended, for which the process itself may have something to do.
     *
     * @param request whose end is awaited
     * @return later
     */
    public static Reply whenEnded(RegionMessage request) {
        return new AwaitedEnd(request);
    }
}
