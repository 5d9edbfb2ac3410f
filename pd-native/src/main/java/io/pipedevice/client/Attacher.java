// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.protocol.StatusPageDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The first exchange with the driver: makes this process's page, and gets the driver's. */
final class Attacher {
    private final ControlChannel control;
    private final PdOptions options;

    Attacher(ControlChannel control, PdOptions options) {
        this.control = control;
        this.options = options;
    }

    /** Attaches; the pages belong to the result. */
    Attachment attach(Link link) throws IOException {
        SharedRegion lib = newLibPage();
        SharedRegion driver = null;
        SharedRegion status = null;
        control.lock();
        try {
            control.request(ControlMessage.ATTACH)
                    .value(options.requestDepth())
                    .socketId(options.maxSockets())
                    .argument(lib.size());
            ControlMessage answer = call(lib.fd());
            int cid = answer.value();
            long driverSize = answer.argument();
            int maxSockets = answer.socketId();
            if (maxSockets < 1 || maxSockets > options.maxSockets()) {
                throw new PdException(Errno.EPROTO, "PD Driver allows " + maxSockets + " sockets");
            }
            // One after the other: those that are not taken are closed with the control channel.
            status =
                    open(control.descriptor(0), "status", StatusPageDescriptor.length(), StatusPageDescriptor.length());
            driver = open(control.descriptor(1), "driver", driverSize, DriverPageDescriptor.length(maxSockets));
            check(status, "status", StatusPageDescriptor.MAGIC, StatusPageDescriptor.VERSION);
            check(driver, "driver", DriverPageDescriptor.MAGIC, DriverPageDescriptor.VERSION);
            Pages pages = new Pages(lib, driver, status, options.requestDepth(), maxSockets);
            Attachment attachment = new Attachment(link, control, pages, cid, options);
            attachment.session().parking().openEarly();
            return attachment;
        } catch (IOException | RuntimeException | Error e) {
            lib.close();
            closeIfOpen(driver);
            closeIfOpen(status);
            throw e;
        } finally {
            control.unlock();
        }
    }

    private ControlMessage call(Fd page) throws PdException {
        try {
            ControlMessage answer = control.call(page);
            if (answer.version() == ControlMessage.VERSION) {
                return answer;
            }
        } catch (PdException e) {
            if (control.driverVersion() == ControlMessage.VERSION || control.driverVersion() == 0) {
                throw e;
            }
        }
        throw new PdException(
                Errno.EPROTO,
                "PD Driver speaks version " + control.driverVersion() + " of the protocol, this PD Lib version "
                        + ControlMessage.VERSION);
    }

    private SharedRegion newLibPage() throws IOException {
        long length = LibPageDescriptor.length(options.requestDepth(), options.maxSockets());
        SharedRegion region = SharedRegion.create("pd-lib-page", length, false);
        try {
            region.allocate(0, region.size());
            MemorySegment memory = region.memory();
            memory.set(ValueLayout.JAVA_LONG, LibPageDescriptor.MAGIC_OFFSET, LibPageDescriptor.MAGIC);
            memory.set(ValueLayout.JAVA_LONG, LibPageDescriptor.VERSION_OFFSET, LibPageDescriptor.VERSION);
            return region;
        } catch (IOException | RuntimeException e) {
            region.close();
            throw e;
        }
    }

    private static SharedRegion open(Fd fd, String name, long size, long atLeast) throws IOException {
        if (fd == null || size < atLeast) {
            if (fd != null) {
                fd.close();
            }
            throw new PdException(Errno.EPROTO, "PD Driver sent no " + name + " page, or one that is too small");
        }
        SharedRegion region = SharedRegion.attach(fd, size);
        try {
            region.populate(0, size);
            return region;
        } catch (IOException | RuntimeException e) {
            region.close();
            throw e;
        }
    }

    private static void check(SharedRegion page, String name, long magic, long version) throws PdException {
        long seenMagic = page.memory().get(ValueLayout.JAVA_LONG, 0);
        long seenVersion = page.memory().get(ValueLayout.JAVA_LONG, Long.BYTES);
        if (seenMagic != magic || seenVersion != version) {
            throw new PdException(
                    Errno.EPROTO,
                    "the driver's " + name + " page has layout version " + seenVersion + ", this PD Lib knows "
                            + version);
        }
    }

    private static void closeIfOpen(SharedRegion region) {
        if (region != null) {
            region.close();
        }
    }
}
