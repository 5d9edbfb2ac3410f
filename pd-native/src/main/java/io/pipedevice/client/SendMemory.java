// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.memory.QuotaExceededException;
import io.pipedevice.memory.RingBudget;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.memory.RingBufferPool;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.DriverPageDescriptor;
import java.io.IOException;
import java.util.ArrayList;

/**
 * The send rings of this process, and the closed sockets whose rings the driver still reads. Guarded by the control
 * channel's lock.
 */
final class SendMemory implements RingBufferPool.Listener, AutoCloseable {
    private static final LazyLogger LOG = new LazyLogger(SendMemory.class);

    private static final class Closing {
        final int socketId;
        final int generation;
        final RingBuffer ring;

        Closing(int socketId, int generation, RingBuffer ring) {
            this.socketId = socketId;
            this.generation = generation;
            this.ring = ring;
        }
    }

    private final Link link;
    private final ControlChannel control;
    private final Pages pages;
    private final RingBufferPool pool;
    private final ArrayList<Closing> closing = new ArrayList<>();
    private boolean released;

    /** Whether a ring that is in use grows, and not a new one is taken. */
    private boolean growing;

    SendMemory(Link link, ControlChannel control, Pages pages, PdOptions options) {
        this.link = link;
        this.control = control;
        this.pages = pages;
        this.pool = new RingBufferPool("pd-send", options.sendMemory(), options.hugePages(), this);
    }

    /** Takes a ring for a new connection, of which at most {@code start} bytes are used at first. */
    RingBuffer take(int size, int start) throws PdException {
        reclaim();
        try {
            return pool.take(size, Math.min(size, start));
        } catch (QuotaExceededException e) {
            throw new PdException(
                    Errno.ENOBUFS, e.getMessage() + " (option " + PdOptions.SEND_MEMORY_PROPERTY + ")", e);
        } catch (IOException e) {
            throw PdException.wrap("no memory for a send ring", e);
        }
    }

    /** Allocates more of a ring that is in use; false if there is no memory. */
    boolean grow(RingBuffer ring, int from, int to) {
        growing = true;
        try {
            pool.grow(ring, from, to);
            return true;
        } catch (IOException e) {
            LOG.get().log(System.Logger.Level.DEBUG, "a send ring does not grow to {0} bytes: {1}", to, e.getMessage());
            return false;
        } finally {
            growing = false;
        }
    }

    /** Gives back a ring that the driver does not use. */
    void give(RingBuffer ring) {
        pool.give(ring);
    }

    /** Gives a ring back when the driver has sent its bytes. */
    void giveWhenClosed(int socketId, int generation, RingBuffer ring) {
        closing.add(new Closing(socketId, generation, ring));
    }

    /** Takes back the rings that the driver is done with. */
    void reclaim() {
        for (int i = closing.size() - 1; i >= 0; i--) {
            Closing socket = closing.get(i);
            long state = pages.state(socket.socketId);
            if ((state & DriverPageDescriptor.STATE_CLOSED) != 0
                    || (int) (state >>> 32) != socket.generation
                    || link.isBroken()) {
                closing.set(i, closing.get(closing.size() - 1));
                closing.remove(closing.size() - 1);
                pool.give(socket.ring);
            }
        }
    }

    /** Bytes of send rings that open sockets use, or the driver still reads. */
    long bytesInUse() {
        return pool.bytesInUse();
    }

    @Override
    public void created(int number, SharedRegion region) throws IOException {
        control.request(ControlMessage.ADD_REGION).value(number).argument(region.size());
        control.call(region.fd());
    }

    @Override
    public void allocating(long bytes) throws IOException {
        RingBudget budget = RingBudget.process();
        if (!(growing ? budget.takePart(bytes, bytes, null) > 0 : budget.take(bytes))) {
            throw new LinuxException("fallocate", Errno.ENOMEM, budget.whyRefused());
        }
    }

    @Override
    public void notAllocated(long bytes) {
        RingBudget.process().release(bytes);
    }

    @Override
    public void dropped(int number, SharedRegion region, long allocated) {
        RingBudget.process().release(allocated);
        if (released || link.isBroken()) {
            return;
        }
        try {
            control.request(ControlMessage.REMOVE_REGION).value(number);
            control.call();
        } catch (PdException e) {
            LOG.get().log(System.Logger.Level.DEBUG, "region " + number + " of send rings", e);
        }
    }

    @Override
    public void close() {
        released = true;
        closing.clear();
        pool.close();
    }
}
