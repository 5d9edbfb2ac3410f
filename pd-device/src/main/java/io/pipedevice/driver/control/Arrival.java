// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.ContainerUse;
import io.pipedevice.driver.identity.AddressBook;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.DriverPageDescriptor;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/**
 * The attachment of a process in progress. Determines the identity of the process, maps its lib page and makes its
 * driver page. It works in steps, because the process decides how large its pages are and how many addresses it has.
 * Then it goes on with the message. Owns these resources until the process is attached. Belongs to the driver's thread.
 */
final class Arrival implements Chores.Chore, Reply.Later {
    private static final long STEP_BYTES = 256 << 10;

    private final Attachments attachments;
    private final ControlRequest request;
    private final ControlSession session;
    private final long libPageSize;
    private final long driverPageSize;
    private final int depth;
    private final int maxSockets;
    private final Consumer<AttachedProcess> attached;
    private Fd fd;
    private Identity identity;

    /** Charged; null before that. */
    private ContainerUse use;

    private SharedRegion libPage;
    private SharedRegion driverPage;
    private AddressBook.Reading reading;
    private boolean addressed;
    private long populated;
    private Refusal refusal;

    /**
     * Begins.
     *
     * @param fd of the lib page; this takes ownership
     * @param depth of the request ring
     * @param maxSockets the slots that the process gets
     * @param attached gets the process
     */
    Arrival(
            Attachments attachments,
            ControlRequest request,
            Fd fd,
            long libPageSize,
            int depth,
            int maxSockets,
            Consumer<AttachedProcess> attached) {
        this.attachments = attachments;
        this.request = request;
        this.session = request.session();
        this.fd = fd;
        this.libPageSize = libPageSize;
        this.driverPageSize = Memory.wholePages(DriverPageDescriptor.length(maxSockets));
        this.depth = depth;
        this.maxSockets = maxSockets;
        this.attached = attached;
    }

    @Override
    public boolean step(long nowNs) {
        if (!session.open) {
            return false;
        }
        try {
            if (proceed(nowNs)) {
                return true;
            }
        } catch (Refusal e) {
            refusal = e;
        } catch (IOException | RuntimeException e) {
            refusal = Refusal.exhausted(e, Errno.EINVAL, "cannot attach");
        } catch (Error e) {
            refusal = new Refusal(Errno.ENOMEM, "cannot attach: " + e);
        }
        request.resume();
        return false;
    }

    /** Does one step; false if no work is left. */
    private boolean proceed(long nowNs) throws IOException, Refusal {
        if (identity == null) {
            identity = Identity.withoutAddresses(session.socket);
            use = attachments.count(identity, libPageSize, driverPageSize, nowNs);
        } else if (libPage == null) {
            Fd page = fd;
            fd = null;
            libPage = SharedRegion.attach(page, libPageSize, unwanted -> session.dispose(unwanted));
        } else if (driverPage == null) {
            if (!populateLibPage()) {
                driverPage = SharedRegion.create("pd-driver-page", driverPageSize, false);
                populated = 0;
            }
        } else if (populated < driverPage.size()) {
            long length = Math.min(STEP_BYTES, driverPage.size() - populated);
            driverPage.allocate(populated, length);
            populated += length;
        } else if (!addressed) {
            readAddresses();
        } else {
            return false;
        }
        return true;
    }

    /**
     * Maps a part of the lib page; returns false if all of it was. A page that its owner has not allocated would be
     * allocated here, at the cost of the driver's own memory.
     */
    private boolean populateLibPage() throws Refusal {
        long length = Math.min(STEP_BYTES, libPage.size() - populated);
        if (length > 0) {
            try {
                libPage.populateAllocated(populated, length);
            } catch (IOException e) {
                throw Refusal.exhausted(e, Errno.ENOMEM, "cannot map the lib page");
            }
            populated += length;
        }
        return populated < libPage.size();
    }

    private void readAddresses() throws IOException {
        if (reading == null) {
            if (attachments.addresses().lend(identity)) {
                addressed = true;
            } else {
                reading = new AddressBook.Reading(identity);
            }
        } else if (!reading.step()) {
            attachments.addresses().enter(identity, reading);
            reading.close();
            reading = null;
            addressed = true;
        }
    }

    @Override
    public Reply resume(long nowNs) throws Refusal {
        boolean done = false;
        try {
            if (refusal != null) {
                throw refusal;
            }
            AttachedProcess process = attach(nowNs);
            done = true;
            attached.accept(process);
            return Reply.answer(
                    attachments.statusPage().fd(), process.pages.driver().fd());
        } finally {
            if (!done) {
                abandon();
            }
        }
    }

    private AttachedProcess attach(long nowNs) {
        driverPage
                .memory()
                .set(ValueLayout.JAVA_LONG, DriverPageDescriptor.VERSION_OFFSET, DriverPageDescriptor.VERSION);
        driverPage.memory().set(ValueLayout.JAVA_LONG, DriverPageDescriptor.MAGIC_OFFSET, DriverPageDescriptor.MAGIC);
        AttachedProcess process = attachments.create(this, session, depth, maxSockets, nowNs);
        request.message()
                .answer()
                .value(process.cid)
                .socketId(process.pages.maxSockets())
                .argument(process.pages.driver().size());
        return process;
    }

    Identity identity() {
        return identity;
    }

    ContainerUse use() {
        return use;
    }

    SharedRegion libPage() {
        return libPage;
    }

    SharedRegion driverPage() {
        return driverPage;
    }

    @Override
    public void abandon() {
        if (fd != null) {
            session.dispose(fd);
            fd = null;
        }
        if (libPage != null) {
            attachments.dispose(libPage);
        }
        if (driverPage != null) {
            attachments.dispose(driverPage);
        }
        if (reading != null) {
            reading.close();
        }
        if (addressed) {
            attachments.addresses().giveBack(identity);
        }
        if (use != null) {
            attachments.uncount(use, identity, libPageSize, driverPageSize);
        }
    }
}
