// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.driver.data.ContainerUse;
import io.pipedevice.driver.identity.AddressBook;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.DriverPageDescriptor;
import java.io.IOException;
import java.lang.foreign.ValueLayout;

/**
 * The attachment of a process in progress. Determines the identity of the process, maps its lib page and makes its
 * driver page. It works in steps, because the process decides how large its pages are and how many addresses it has.
 * Owns these resources until {@link #finish}, and releases them when it is closed. Belongs to the driver's thread.
 */
final class Arrival implements Chores.Chore, AutoCloseable {
    private static final long STEP_BYTES = 256 << 10;

    private final Attachments attachments;
    private final ControlSession session;
    private final long libPageSize;
    private final long driverPageSize;
    private final Runnable resume;
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
    private boolean finished;

    /**
     * Begins.
     *
     * @param fd of the lib page; this takes ownership
     * @param resume causes the ATTACH message to be handled again
     */
    Arrival(
            Attachments attachments,
            ControlSession session,
            Fd fd,
            long libPageSize,
            long driverPageSize,
            Runnable resume) {
        this.attachments = attachments;
        this.session = session;
        this.fd = fd;
        this.libPageSize = libPageSize;
        this.driverPageSize = driverPageSize;
        this.resume = resume;
    }

    @Override
    public boolean step(long nowNs) {
        try {
            if (session.open && proceed(nowNs)) {
                return true;
            }
        } catch (Refusal e) {
            refusal = e;
        } catch (IOException | RuntimeException e) {
            refusal = Refusal.exhausted(e, Errno.EINVAL, "cannot attach");
        } catch (Error e) {
            refusal = new Refusal(Errno.ENOMEM, "cannot attach: " + e);
        }
        resume.run();
        if (!finished) {
            close();
        }
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

    /** Hands over the process's resources, or throws the error of an earlier step. */
    void finish() throws Refusal {
        if (refusal != null) {
            throw refusal;
        }
        driverPage
                .memory()
                .set(ValueLayout.JAVA_LONG, DriverPageDescriptor.VERSION_OFFSET, DriverPageDescriptor.VERSION);
        driverPage.memory().set(ValueLayout.JAVA_LONG, DriverPageDescriptor.MAGIC_OFFSET, DriverPageDescriptor.MAGIC);
        finished = true;
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
    public void close() {
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
