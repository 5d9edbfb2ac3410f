// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.client.ControlEndpoint;
import io.pipedevice.client.DriverLink;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.LentRegion;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.operation.OperationPageDescriptor;
import io.pipedevice.operation.OperationProducer;
import io.pipedevice.protocol.RegionMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * An attachment to a driver for regions: registers memory of this process, finds regions of others, and opens queue pairs
 * for operations on them. It counts as one attachment of the process, with its limits.
 *
 * <p>Thread safe. When the driver ends, calls fail with a {@link PdException}, and the memory of this process's own regions
 * stays its own.
 */
public final class Regions implements AutoCloseable {
    /** Queue pairs of an attachment, unless another number is given. */
    public static final int DEFAULT_QUEUE_PAIRS = 64;

    /** Outstanding operations of a queue pair, unless another number is given. */
    public static final int DEFAULT_DEPTH = 64;

    private static final LazyLogger LOG = new LazyLogger(Regions.class);

    private final DriverLink link;
    private final QueuePages pages;
    private final FunctionExchange functions;

    /** The ends of the queue pairs that are not in use; guarded by itself. */
    private final ArrayDeque<OperationProducer> unused = new ArrayDeque<>();

    private Regions(DriverLink link, QueuePages pages, int queuePairs) {
        this.link = link;
        this.pages = pages;
        this.functions = new FunctionExchange(link);
        for (int queue = 0; queue < queuePairs; queue++) {
            unused.add(pages.ring(queue));
        }
    }

    /**
     * Attaches this process to a driver.
     *
     * @param driver for example {@code DriverDirectory.at(Path.of("/run/pipedevice"))}
     * @return the attachment, for the caller to close
     * @throws PdException if there is no driver, it refuses, or memory or descriptors are exhausted
     */
    public static Regions attach(ControlEndpoint driver) throws PdException {
        return attach(driver, DEFAULT_QUEUE_PAIRS, DEFAULT_DEPTH);
    }

    /**
     * Attaches this process to a driver.
     *
     * @param driver for example {@code DriverDirectory.at(Path.of("/run/pipedevice"))}
     * @param queuePairs most queue pairs at a time, 1 to 1024
     * @param depth most outstanding operations of each, a power of two, 2 to 256
     * @return the attachment, for the caller to close
     * @throws PdException if there is no driver, it refuses, or memory or descriptors are exhausted
     */
    public static Regions attach(ControlEndpoint driver, int queuePairs, int depth) throws PdException {
        if (queuePairs < 1 || queuePairs > OperationPageDescriptor.MAX_QUEUES) {
            throw new IllegalArgumentException("queue pairs must be 1 to 1024: " + queuePairs);
        }
        if (!OperationPageDescriptor.isDepth(depth)) {
            throw new IllegalArgumentException("the depth must be a power of two from 2 to 256: " + depth);
        }
        DriverLink link = DriverLink.attach(driver);
        try {
            return new Regions(link, QueuePages.open(link, queuePairs, depth), queuePairs);
        } catch (PdException | RuntimeException | Error e) {
            link.close();
            throw e;
        }
    }

    /**
     * Registers memory that no other process finds: a buffer for this process's operations, or a region to be published
     * later.
     *
     * @param size in bytes, 1 or more
     * @return the region, zeroed, for the caller to close
     * @throws PdException if the driver refuses it or is gone, or memory is exhausted
     */
    public Region register(long size) throws PdException {
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

    /**
     * Registers memory that other processes find by its name.
     *
     * @param name 1 to 64 bytes of UTF-8, which no other region of this user and container has
     * @param size in bytes, 1 or more
     * @param grants the rights of other processes
     * @return the region, zeroed, for the caller to close
     * @throws PdException EEXIST if the name is taken; if the driver refuses it or is gone, or memory is exhausted
     */
    public Region register(String name, long size, Grant... grants) throws PdException {
        Region region = register(size);
        try {
            for (Grant grant : grants) {
                region.grant(grant);
            }
            region.publish(name);
            return region;
        } catch (PdException | RuntimeException | Error e) {
            region.close();
            throw e;
        }
    }

    /**
     * Finds a region by its name: the one of this user and container, or the only one of another.
     *
     * @param name of the region
     * @param needed rights without which the region is not wanted
     * @return the region, for the caller to close
     * @throws PdException ENOENT if there is none, EACCES without the rights, EEXIST if there are several
     */
    public RemoteRegion find(String name, Right... needed) throws PdException {
        return find(name, request -> request.rights(Right.bits(needed)));
    }

    /**
     * Finds a region of a user by its name.
     *
     * @param name of the region
     * @param user number of the owner's user
     * @param needed rights without which the region is not wanted
     * @return the region, for the caller to close
     * @throws PdException ENOENT if there is none, EACCES without the rights, EEXIST if there are several
     */
    public RemoteRegion findOfUser(String name, int user, Right... needed) throws PdException {
        return find(name, request -> request.rights(Right.bits(needed)).subject(RegionMessage.USER, user));
    }

    private RemoteRegion find(String name, Consumer<RegionMessage> request) throws PdException {
        // Before the driver rules: a change that comes later is seen.
        long changes = pages.changes();
        return link.call(
                RegionMessage.FIND,
                message -> request.accept(new RegionMessage(message).text(name)),
                (answer, mapping) -> found(name, new RegionMessage(answer), mapping, changes));
    }

    private RemoteRegion found(String name, RegionMessage answer, Fd fd, long changes) throws PdException {
        long size = answer.size();
        SharedRegion mapping = null;
        try {
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
                answer.process(),
                mapping,
                changes);
    }

    /**
     * Opens a queue pair, for one thread at a time.
     *
     * @return the queue pair, for the caller to close
     * @throws PdException EMFILE if all are in use
     */
    public QueuePair queuePair() throws PdException {
        return new QueuePair(this, link, takeRing());
    }

    private OperationProducer takeRing() throws PdException {
        OperationProducer ring;
        synchronized (unused) {
            ring = unused.poll();
        }
        if (ring == null) {
            throw new PdException(Errno.EMFILE, "all queue pairs of this attachment are in use");
        }
        return ring;
    }

    /**
     * Registers a function. The driver verifies the program, which takes milliseconds.
     *
     * @param definition whose regions are of this attachment
     * @param grants who may call it: {@link Right#CALL}
     * @return the function, for the caller to close
     * @throws PdException ENOEXEC with the verifier's sentence if the program is not safe; EEXIST if another function of this
     *     user and container has name and version; if the driver refuses it or is gone
     */
    public Function register(FunctionDefinition definition, Grant... grants) throws PdException {
        Function function = functions.register(definition);
        try {
            for (Grant grant : grants) {
                function.grant(grant);
            }
            return function;
        } catch (PdException | RuntimeException | Error e) {
            function.close();
            throw e;
        }
    }

    /**
     * Finds a function by its name, of the highest version that this process may call: that of this user and container, or
     * the only one of another.
     *
     * @param name of the function
     * @return the function, for the caller to close
     * @throws PdException ENOENT if there is none, EACCES without the right, EEXIST if there are several
     */
    public RemoteFunction findFunction(String name) throws PdException {
        return functions.find(name, 0, RegionMessage.ANYONE, 0);
    }

    /**
     * Finds a function by its name and version.
     *
     * @param name of the function
     * @param version from 1
     * @return the function, for the caller to close
     * @throws PdException ENOENT if there is none, EACCES without the right, EEXIST if there are several
     */
    public RemoteFunction findFunction(String name, int version) throws PdException {
        return functions.find(name, version, RegionMessage.ANYONE, 0);
    }

    /**
     * Finds a function of a user by its name, of the highest version that this process may call.
     *
     * @param name of the function
     * @param user number of the owner's user
     * @return the function, for the caller to close
     * @throws PdException ENOENT if there is none, EACCES without the right, EEXIST if there are several
     */
    public RemoteFunction findFunctionOfUser(String name, int user) throws PdException {
        return functions.find(name, 0, RegionMessage.USER, user);
    }

    /**
     * Opens a queue of calls, for one thread at a time. It takes a queue pair.
     *
     * @param depth most outstanding calls, at most that of the queue pairs
     * @return the queue, for the caller to close
     * @throws PdException EMFILE if all queue pairs are in use
     */
    public Calls calls(int depth) throws PdException {
        if (depth < 1 || depth > pages.depth()) {
            throw new IllegalArgumentException("the depth must be 1 to " + pages.depth() + ": " + depth);
        }
        return new Calls(this, link, takeRing(), depth);
    }

    void giveBack(OperationProducer ring) {
        synchronized (unused) {
            unused.add(ring);
        }
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
        tell(RegionMessage.DEREGISTER, handle);
    }

    void release(int handle) {
        tell(RegionMessage.RELEASE, handle);
    }

    /** Tells the driver of an end, which needs no telling where the driver has gone before. */
    private void tell(int type, int handle) {
        try {
            call(type, request -> request.handle(handle));
        } catch (PdException e) {
            LOG.get().log(Level.DEBUG, "the driver was not told of the end of a region", e);
        }
    }

    private void call(int type, Consumer<RegionMessage> fill) throws PdException {
        link.call(type, request -> fill.accept(new RegionMessage(request)), (answer, none) -> null);
    }

    /**
     * Whether the driver serves this process.
     *
     * @return false once it is gone
     */
    public boolean isServed() {
        return link.isServed();
    }

    /** Detaches: this process's regions end for others. Regions and queue pairs are closed before. */
    @Override
    public void close() {
        link.close();
        pages.close();
    }
}
