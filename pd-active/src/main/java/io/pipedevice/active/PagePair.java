// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.client.DriverLink;
import io.pipedevice.jdk.Foreign;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * Two pages of shared memory: one of this process, which the driver reads, and one of the driver, which this process
 * reads. Owns both. Thread safe.
 */
final class PagePair implements AutoCloseable {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private final SharedRegion own;
    private final SharedRegion drivers;

    private PagePair(SharedRegion own, SharedRegion drivers) {
        this.own = own;
        this.drivers = drivers;
    }

    /**
     * How a page begins: with a magic number.
     *
     * @param name of the page
     * @param length least bytes
     * @param magic the first word
     * @param versionOffset where the version is
     * @param version of the layout
     */
    record Layout(String name, long length, long magic, long versionOffset, long version) {}

    /**
     * Gives the driver a page, and gets a page of the driver.
     *
     * @param purpose of the pages, for messages
     * @param type of the request
     * @param fill fills the request in, but for the size of the page
     * @param own the page of this process
     * @param drivers the page of the driver
     */
    static PagePair exchange(
            DriverLink link, String purpose, int type, Consumer<ControlMessage> fill, Layout own, Layout drivers)
            throws PdException {
        SharedRegion page = create(purpose, own);
        try {
            SharedRegion other = link.call(
                    type,
                    request -> {
                        fill.accept(request);
                        new RegionMessage(request).size(page.size());
                    },
                    (answer, fd) -> attach(link, fd, new RegionMessage(answer).size(), drivers),
                    page.fd());
            page.closeDescriptor();
            other.closeDescriptor();
            return new PagePair(page, other);
        } catch (PdException | RuntimeException | Error e) {
            page.close();
            throw e;
        }
    }

    private static SharedRegion create(String purpose, Layout layout) throws PdException {
        try {
            SharedRegion page = SharedRegion.create(layout.name, layout.length, false);
            try {
                page.allocate(0, page.size());
                WORD.set(page.memory(), layout.versionOffset, layout.version);
                WORD.set(page.memory(), 0L, layout.magic);
                return page;
            } catch (IOException | RuntimeException | Error e) {
                page.close();
                throw e;
            }
        } catch (IOException e) {
            throw PdException.wrap("no memory for " + purpose, e);
        }
    }

    private static SharedRegion attach(DriverLink link, Fd fd, long size, Layout layout) throws PdException {
        if (fd == null) {
            throw link.broken("no " + layout.name + " came");
        }
        if (size < layout.length) {
            fd.close();
            throw link.broken("a " + layout.name + " of " + size + " bytes");
        }
        try {
            SharedRegion page = SharedRegion.attach(fd, size);
            long magic = (long) WORD.getAcquire(page.memory(), 0L);
            long version = (long) WORD.get(page.memory(), layout.versionOffset);
            if (magic != layout.magic || version != layout.version) {
                page.close();
                throw new PdException(Errno.EPROTO, "the " + layout.name + " has layout version " + version);
            }
            return page;
        } catch (IOException e) {
            throw PdException.wrap("cannot map the " + layout.name, e);
        }
    }

    /** The page of this process. */
    MemorySegment own() {
        return own.memory();
    }

    /** The page of the driver, which can only be read. */
    MemorySegment drivers() {
        return drivers.memory();
    }

    @Override
    public void close() {
        own.close();
        drivers.close();
    }
}
