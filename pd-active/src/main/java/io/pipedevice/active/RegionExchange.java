// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.operation.OperationProducer;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.client.DriverLink;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.LentRegion;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * The exchange of messages about regions and queue pairs between a process and a driver. Owns their pages. Thread safe.
 */
final class RegionExchange implements AutoCloseable {
    private static final LazyLogger LOG = new LazyLogger(RegionExchange.class);

    private final DriverLink link;
    private final QueuePages pages;

    /** The ends of the queue pairs that are not in use; guarded by itself. */
    private final ArrayDeque<OperationProducer> unused = new ArrayDeque<>();

    RegionExchange(DriverLink link, QueuePages pages, int queuePairs) {
        this.link = link;
        this.pages = pages;
        for (int queue = 0; queue < queuePairs; queue++) {
            unused.add(pages.ring(queue));
        }
    }

    Region register(long size) throws PdException {
        if (size <= 0) {
            throw new IllegalArgumentException("size " + size);
        }
        LentRegion memory;
        try {
            memory = LentRegion.create("pd-region", size);
        } catch (IOException e) {
            throw PdException.wrap("no memory for a region of " + size + " bytes", e);
        }
        try {
            int handle = link.call(
                    RegionMessage.REGISTER,
                    request -> new RegionMessage(request).size(size),
                    (answer, none) -> new RegionMessage(answer).handle(),
                    memory.fd());
            memory.closeDescriptor();
            return new Region(this, memory, handle, size);
        } catch (PdException | RuntimeException | Error e) {
            memory.close();
            throw e;
        }
    }

    RemoteRegion find(String name, Owner owner, Right... needed) throws PdException {
        return find(
                name,
                RegionMessage.FIND,
                request -> owner.write(new RegionMessage(request).rights(Right.bits(needed)), name));
    }

    /** Sends a request whose answer has a region. */
    RemoteRegion find(String name, int type, Consumer<ControlMessage> request) throws PdException {
        // Before the driver rules: a change that comes later is seen.
        long changes = pages.changes();
        return link.call(type, request, (answer, mapping) -> found(name, new RegionMessage(answer), mapping, changes));
    }

    private RemoteRegion found(String name, RegionMessage answer, Fd fd, long changes) {
        long size = answer.size();
        SharedRegion mapping = null;
        try {
            // The driver has checked that the owner has allocated all pages; the seals keep them.
            mapping = fd == null ? null : SharedRegion.attach(fd, Memory.wholePages(size));
        } catch (IOException e) {
            LOG.get().log(Level.DEBUG, "a region is read through the driver: {0}", e.getMessage());
        }
        if (mapping != null) {
            mapping.closeDescriptor();
        }
        return new RemoteRegion(
                this,
                name,
                answer.handle(),
                size,
                Right.of(answer.rights()),
                answer.user(),
                answer.text(),
                answer.process(),
                mapping,
                changes);
    }

    /** A queue pair that is not in use. */
    OperationProducer takeRing() throws PdException {
        OperationProducer ring;
        synchronized (unused) {
            ring = unused.poll();
        }
        if (ring == null) {
            throw new PdException(Errno.EMFILE, "all queue pairs of this attachment are in use");
        }
        return ring;
    }

    void giveBack(OperationProducer ring) {
        synchronized (unused) {
            unused.add(ring);
        }
    }

    /** The depth of each queue pair. */
    int depth() {
        return pages.depth();
    }

    long changes() {
        return pages.changes();
    }

    void grant(int handle, Grant grant) throws PdException {
        call(RegionMessage.GRANT, request -> grant.write(request.handle(handle)));
    }

    void publish(int handle, String name) throws PdException {
        call(RegionMessage.PUBLISH, request -> request.handle(handle).text(name));
    }

    void deregister(int handle) {
        end(RegionMessage.DEREGISTER, handle);
    }

    void release(int handle) {
        end(RegionMessage.RELEASE, handle);
    }

    /** Asks the driver to end something. A driver that has gone has ended it. */
    void end(int type, int handle) {
        try {
            call(type, request -> request.handle(handle));
        } catch (PdException e) {
            LOG.get().log(Level.DEBUG, "the driver was not notified of an end", e);
        }
    }

    private void call(int type, Consumer<RegionMessage> fill) throws PdException {
        link.call(type, request -> fill.accept(new RegionMessage(request)), (answer, none) -> null);
    }

    @Override
    public void close() {
        pages.close();
    }
}
