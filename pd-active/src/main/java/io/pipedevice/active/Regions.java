// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.operation.OperationPageDescriptor;
import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.client.ControlEndpoint;
import io.pipedevice.client.DriverLink;
import io.pipedevice.lib.PdException;

/**
 * An attachment to a driver for regions and functions: registers memory and functions of this process, finds those of
 * others, and opens queue pairs for operations on regions, and queues of calls. It counts as one attachment of the
 * process, with its limits.
 *
 * <p>Thread safe. When the driver ends, calls fail with a {@link PdException}, and the memory of this process's own
 * regions stays its own.
 */
public final class Regions implements AutoCloseable {
    /** Queue pairs of an attachment, unless another number is given. */
    public static final int DEFAULT_QUEUE_PAIRS = 64;

    /** Outstanding operations of a queue pair, unless another number is given. */
    public static final int DEFAULT_DEPTH = 64;

    private final ControlEndpoint driver;
    private final DriverLink link;
    private final RegionExchange exchange;
    private final FunctionExchange functions;

    private Regions(ControlEndpoint driver, DriverLink link, RegionExchange exchange) {
        this.driver = driver;
        this.link = link;
        this.exchange = exchange;
        this.functions = new FunctionExchange(link, exchange);
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
            return new Regions(
                    driver, link, new RegionExchange(link, QueuePages.open(link, queuePairs, depth), queuePairs));
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
        return exchange.register(size);
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
     * Finds a region by its name: the one of this user and container, or else the only one of others that the policy
     * lets this process use. If this process has found the name before, that of the same owner (user and container) is
     * meant, and no other.
     *
     * @param name of the region
     * @param needed rights without which the region is not wanted
     * @return the region, for the caller to close
     * @throws PdException ENOENT if there is none, EACCES without the rights, ENOTUNIQ if several owners have published
     *     the name, EREMCHG if the owner of before has it no more, and another one has
     */
    public RemoteRegion find(String name, Right... needed) throws PdException {
        return KnownOwners.ALL.find(name("region", name), owner -> exchange.find(name, owner, needed));
    }

    /**
     * Finds a region of an owner by its name, whatever owner this process has found before.
     *
     * @param name of the region
     * @param owner whose region is meant
     * @param needed rights without which the region is not wanted
     * @return the region, for the caller to close
     * @throws PdException ENOENT if there is none, EACCES without the rights, ENOTUNIQ if several such owners have
     *     published the name
     */
    public RemoteRegion find(String name, Owner owner, Right... needed) throws PdException {
        return KnownOwners.ALL.find(name("region", name), owner, each -> exchange.find(name, each, needed));
    }

    private KnownOwners.Name name(String kind, String name) {
        return new KnownOwners.Name(driver, kind, name);
    }

    /**
     * Opens a queue pair, for one thread at a time.
     *
     * @return the queue pair, for the caller to close
     * @throws PdException EMFILE if all are in use
     */
    public QueuePair queuePair() throws PdException {
        return new QueuePair(exchange, link);
    }

    /**
     * Registers a function. The driver verifies the program, which takes milliseconds.
     *
     * @param definition whose regions are of this attachment
     * @param grants the users and containers that may call it: {@link Right#CALL}
     * @return the function, for the caller to close
     * @throws PdException ENOEXEC with the verifier's sentence if the program is not safe; EEXIST if another function
     *     of this user and container has name and version; if the driver refuses it or is gone
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
     * Finds a function by its name, of the highest version that this process may call. Whose it is follows from the
     * name as of {@linkplain #find(String, Right...) a region}.
     *
     * @param name of the function
     * @return the function, for the caller to close
     * @throws PdException ENOENT if there is none, EACCES without the right, ENOTUNIQ if several owners have published
     *     the name, EREMCHG if the owner of before has it no more, and another one has
     */
    public RemoteFunction findFunction(String name) throws PdException {
        return findFunction(name, 0);
    }

    /**
     * Finds a function by its name and version.
     *
     * @param name of the function
     * @param version from 1, or 0 for the highest that this process may call
     * @return the function, for the caller to close
     * @throws PdException as of {@link #findFunction(String)}
     */
    public RemoteFunction findFunction(String name, int version) throws PdException {
        return KnownOwners.ALL.find(name("function", name), owner -> functions.find(name, version, owner));
    }

    /**
     * Finds a function of an owner by its name and version, whatever owner this process has found before.
     *
     * @param name of the function
     * @param version from 1, or 0 for the highest that this process may call
     * @param owner whose function is meant
     * @return the function, for the caller to close
     * @throws PdException ENOENT if there is none, EACCES without the right, ENOTUNIQ if several such owners have
     *     published the name
     */
    public RemoteFunction findFunction(String name, int version, Owner owner) throws PdException {
        return KnownOwners.ALL.find(name("function", name), owner, each -> functions.find(name, version, each));
    }

    /**
     * Serves calls of this attachment's functions in this process: those of functions that are registered already, and
     * of later ones whose messages are not longer.
     *
     * @param threads 1 to 16
     * @return the server, for the caller to close
     * @throws PdException EINVAL if there is one; if the driver refuses memory for it or is gone
     */
    public FunctionServer serve(int threads) throws PdException {
        return new FunctionServer(functions, link, threads, functions.room());
    }

    /**
     * Serves calls of this attachment's functions in this process: those of functions that are registered already, and
     * of later ones whose messages are not longer than that. A call takes at most that and 4.5 KB in the pages of the
     * server, which have room for 64 calls of each thread.
     *
     * @param threads 1 to 16
     * @param messageLength of the longest message of a later function, 1 to 16,384 bytes
     * @return the server, for the caller to close
     * @throws PdException EINVAL if there is one; if the driver refuses memory for it or is gone
     */
    public FunctionServer serve(int threads, int messageLength) throws PdException {
        if (messageLength < 1 || messageLength > FunctionMessage.MAX_MESSAGE) {
            throw new IllegalArgumentException(
                    "a message cannot have " + messageLength + " bytes; allowed: 1 to " + FunctionMessage.MAX_MESSAGE);
        }
        int later = CallPageDescriptor.room(messageLength, MessageFunction.MAX_STATE_LENGTH);
        return new FunctionServer(functions, link, threads, Math.max(functions.room(), later));
    }

    /**
     * Opens a queue of calls, for one thread at a time. It takes a queue pair.
     *
     * @param depth most outstanding calls, at most that of the queue pairs
     * @return the queue, for the caller to close
     * @throws PdException EMFILE if all queue pairs are in use
     */
    public Calls calls(int depth) throws PdException {
        if (depth < 1 || depth > exchange.depth()) {
            throw new IllegalArgumentException("the depth must be 1 to " + exchange.depth() + ": " + depth);
        }
        return new Calls(exchange, link, depth);
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
        functions.close();
        link.close();
        exchange.close();
    }
}
