// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.protocol.ContainerName;
import java.io.IOException;

/** A function of another process, or of this one, that was found by its name. Thread safe. */
public final class RemoteFunction implements Found {
    private final FunctionExchange exchange;
    private final String name;
    private final String symbol;
    private final int handle;
    private final int version;
    private final int messageLength;
    private final int stateLength;
    private final int regions;
    private final long fuel;
    private final int ownerUser;
    private final String ownerContainer;
    private final int ownerProcess;
    private boolean closed;

    /** Null before it is needed. Guarded by this, as are {@link #preparing} and {@link #problem}. */
    private RunnableFunction runnable;

    private boolean preparing;

    /** Why it was not made by the thread that has tried last; null if it was, or the problem was reported. */
    private PdException problem;

    RemoteFunction(FunctionExchange exchange, String name, FunctionMessage answer) {
        this.exchange = exchange;
        this.name = name;
        this.symbol = answer.firstText();
        this.handle = answer.handle();
        this.version = answer.version();
        this.messageLength = answer.messageLength();
        this.stateLength = answer.stateLength();
        this.regions = answer.regions();
        this.fuel = answer.fuel();
        this.ownerUser = answer.user();
        this.ownerContainer = answer.secondText();
        this.ownerProcess = answer.process();
    }

    /**
     * The name.
     *
     * @return by which it was found
     */
    public String name() {
        return name;
    }

    /**
     * The version.
     *
     * @return from 1
     */
    public int version() {
        return version;
    }

    /**
     * The length of its messages.
     *
     * @return in bytes
     */
    public int messageLength() {
        return messageLength;
    }

    /**
     * The user of the owner, which the driver has from the kernel.
     *
     * @return its number
     */
    public int ownerUser() {
        return ownerUser;
    }

    /**
     * The owner's process, which the driver has from the kernel.
     *
     * @return its number in the driver's PID namespace
     */
    public int ownerProcess() {
        return ownerProcess;
    }

    /**
     * The container of the owner, which the driver has from the kernel.
     *
     * @return as of {@link RemoteRegion#ownerContainer}
     */
    public String ownerContainer() {
        return ownerContainer;
    }

    /**
     * The owner, by which the function is found again.
     *
     * @return user and container
     */
    @Override
    public Owner owner() {
        return Owner.of(ownerUser, ownerContainer);
    }

    String symbol() {
        return symbol;
    }

    int handle() {
        return handle;
    }

    int stateLength() {
        return stateLength;
    }

    int regions() {
        return regions;
    }

    long fuel() {
        return fuel;
    }

    /**
     * The code and regions with which this process runs the function itself, made when they are first asked for.
     *
     * @throws PdException EACCES without the rights to all regions
     */
    RunnableFunction runnable() throws PdException {
        synchronized (this) {
            if (runnable != null) {
                return runnable;
            }
        }
        return use(exchange.runnable(this));
    }

    /**
     * As {@link #runnable}, but the caller does not wait until the program was compiled: another thread does that.
     *
     * @return null as long as it is being made
     * @throws PdException once for each attempt
     */
    synchronized RunnableFunction runnableSoon() throws PdException {
        if (problem != null) {
            PdException reported = problem;
            problem = null;
            throw reported;
        }
        if (runnable == null && !preparing) {
            exchange.prepare(this::prepare);
            preparing = true;
        }
        return runnable;
    }

    private void prepare() {
        PdException failure = null;
        try {
            use(exchange.runnable(this));
        } catch (PdException e) {
            failure = e;
        } catch (RuntimeException | Error e) {
            failure = PdException.wrap(this + " cannot be prepared", new IOException(e));
        }
        synchronized (this) {
            preparing = false;
            problem = failure;
        }
    }

    /** Takes what was made, unless another thread was faster. */
    private synchronized RunnableFunction use(RunnableFunction made) throws PdException {
        if (closed) {
            made.close();
            throw new PdException(Errno.EBADF, this + " was given up");
        }
        if (runnable == null) {
            runnable = made;
        } else {
            made.close();
        }
        return runnable;
    }

    /** Gives the function up. No call of it may be outstanding. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            if (runnable != null) {
                runnable.close();
            }
            exchange.release(this);
        }
    }

    @Override
    public String toString() {
        return "function " + name + " of version " + version + " of process " + ownerProcess + " in container "
                + ContainerName.shown(ownerContainer);
    }
}
