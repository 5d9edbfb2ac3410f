// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;
import sun.nio.ch.SelChImpl;

/**
 * The registration of a channel, PipeDevice's or the JDK's own, with a {@link PdSelector}. Thread safe, except for the
 * fields that belong to the selecting thread.
 */
public final class PdSelectionKey extends AbstractSelectionKey {
    static final int NOT_SELECTED = -1;
    private static final VarHandle INTEREST;

    static {
        try {
            INTEREST = MethodHandles.lookup().findVarHandle(PdSelectionKey.class, "interest", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Selector selector;
    private final KeyListener listener;
    private final SelectableChannel channel;

    /** Null for a channel of the JDK's own. */
    private final Selectable selectable;

    final KeyQueue.Link interestLink = new KeyQueue.Link(this);
    final KeyQueue.Link transportLink = new KeyQueue.Link(this);

    /** The interest set. Changed by any thread. */
    private volatile int interest;

    /** The ready set. Changed by the selecting thread. */
    private volatile int ready;

    /** Place in the {@link SelectedKeys}, which change it. */
    int selectedAt = NOT_SELECTED;

    /**
     * The channel whose descriptor is watched at present; null if none is. This and the fields below belong to the
     * selecting thread.
     */
    SelChImpl descriptorOf;

    /** The events that are watched for. */
    int descriptorEvents;

    /** For {@link Selectable#ring}. */
    final RingWatch first = new RingWatch();

    /** For {@link Selectable#secondRing}; null before there is one. */
    RingWatch second;

    /** The operations that were found ready in this round. */
    int found;

    /** Whether they are ready because of an error or a hang-up. */
    boolean failed;

    /**
     * Creates a key with an empty interest set.
     *
     * @param listener receives the changes; the selector's own
     */
    PdSelectionKey(Selector selector, KeyListener listener, SelectableChannel channel) {
        this.selector = selector;
        this.listener = listener;
        this.channel = channel;
        this.selectable = channel instanceof Selectable own ? own : null;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        return selector;
    }

    /** Null for a channel of the JDK's own. */
    Selectable selectable() {
        return selectable;
    }

    /** The channel to watch by descriptor; null if there is none. */
    SelChImpl kernelChannel() {
        return selectable == null ? (SelChImpl) channel : selectable.kernel();
    }

    /** The socket to watch in memory; null if there is none. */
    PdSource ringSocket() {
        return selectable == null ? null : selectable.ring();
    }

    /** The second socket to watch in memory; null if there is none. */
    PdSource secondRingSocket() {
        return selectable == null ? null : selectable.secondRing();
    }

    private void requireValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }

    @Override
    public int interestOps() {
        requireValid();
        return interest;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        requireValid();
        check(ops);
        changed((int) INTEREST.getAndSet(this, ops), ops);
        return this;
    }

    @Override
    public int interestOpsOr(int ops) {
        requireValid();
        check(ops);
        int before = (int) INTEREST.getAndBitwiseOr(this, ops);
        changed(before, before | ops);
        return before;
    }

    @Override
    public int interestOpsAnd(int ops) {
        requireValid();
        int before = (int) INTEREST.getAndBitwiseAnd(this, ops);
        changed(before, before & ops);
        return before;
    }

    private void check(int ops) {
        if ((ops & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException("invalid operations: " + ops + ", valid are " + channel.validOps());
        }
    }

    private void changed(int before, int now) {
        if (before != now) {
            listener.interestChanged(this);
        }
    }

    @Override
    public int readyOps() {
        requireValid();
        return ready;
    }

    /** The ready set, even if the key was cancelled meanwhile. */
    int ready() {
        return ready;
    }

    void ready(int ops) {
        ready = ops;
    }

    /** The interest set; empty once the key is cancelled. */
    int wanted() {
        return isValid() ? interest : 0;
    }

    /** The operations of the interest set that some events make ready. */
    int readyOps(int kernelEvents, int eventsOfRing) {
        int wanted = interest;
        return selectable == null
                ? KernelReadiness.of(channel, wanted, kernelEvents)
                : selectable.readyOps(wanted, kernelEvents, eventsOfRing);
    }

    boolean isWatchedByDescriptor() {
        return descriptorOf != null;
    }

    void watchedByDescriptor(SelChImpl watched) {
        descriptorOf = watched;
    }

    void notWatchedByDescriptor() {
        descriptorOf = null;
    }

    /**
     * Whether the watched descriptor was closed, so that its number may be another descriptor's by now. The kernel
     * channel inside a PipeDevice channel closes at once. A registered channel of the JDK's own keeps its descriptor
     * until its key is gone.
     */
    boolean hasLostDescriptor() {
        return selectable != null && !descriptorOf.isOpen();
    }

    static int ringEvents(int ops) {
        return ((ops & (OP_READ | OP_ACCEPT)) != 0 ? PdEpoll.IN : 0)
                | ((ops & (OP_WRITE | OP_CONNECT)) != 0 ? PdEpoll.OUT : 0);
    }

    /**
     * Makes the selector watch what the channel's {@link Selectable#kernel} and {@link Selectable#ring} return now. A
     * select that is in progress does so at once. Any thread may call.
     */
    public void transportChanged() {
        listener.transportChanged(this);
    }

    @Override
    public String toString() {
        String state = isValid() ? "interestOps=" + interest + ", readyOps=" + ready : "invalid";
        return "channel=" + channel + ", selector=" + selector() + ", " + state;
    }
}
