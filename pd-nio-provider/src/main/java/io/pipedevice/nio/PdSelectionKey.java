// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

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

/** A channel's registration with a selector: a PipeDevice channel, or one of the JDK's own. */
final class PdSelectionKey extends AbstractSelectionKey {
    static final int NOT_SELECTED = -1;
    private static final VarHandle INTEREST;

    static {
        try {
            INTEREST = MethodHandles.lookup().findVarHandle(PdSelectionKey.class, "interest", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final PdSelector selector;
    private final SelectableChannel channel;

    /** Null for a channel of the JDK's own. */
    private final Selectable selectable;

    final KeyQueue.Link interestLink = new KeyQueue.Link(this);
    final KeyQueue.Link transportLink = new KeyQueue.Link(this);

    /** What the program asks for. Any thread. */
    private volatile int interest;

    /** What was ready. Changed by the selecting thread. */
    private volatile int ready;

    /** Place in the selected keys; theirs. */
    int selectedAt = NOT_SELECTED;

    /** Whose descriptor is watched at present; null if none is. This and what follows is the selecting thread's. */
    SelChImpl descriptorOf;

    /** What is watched besides, and what the present round found. */
    int descriptorEvents;

    RingPart part;
    PdSource ring;
    int ringEvents;
    int found;

    /** Whether it was found after an error or a hang-up in this round. */
    boolean failed;

    PdSelectionKey(PdSelector selector, SelectableChannel channel) {
        this.selector = selector;
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
            throw new IllegalArgumentException("operations " + ops + " of " + channel.validOps());
        }
    }

    private void changed(int before, int now) {
        if (before != now) {
            selector.interestChanged(this);
        }
    }

    @Override
    public int readyOps() {
        requireValid();
        return ready;
    }

    /** What the selector reports, also of a key that was cancelled meanwhile. */
    int ready() {
        return ready;
    }

    void ready(int ops) {
        ready = ops;
    }

    /** What to watch for; nothing once it is cancelled. */
    int wanted() {
        return isValid() ? interest : 0;
    }

    /** What events mean, of the interest. */
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
     * Whether the descriptor was closed, and its number may be another one's by now: the channel inside of one of ours
     * closes it at once. One of the JDK's own that is registered keeps it until its key is gone.
     */
    boolean hasLostDescriptor() {
        return selectable != null && !descriptorOf.isOpen();
    }

    static int ringEvents(int ops) {
        return ((ops & (OP_READ | OP_ACCEPT)) != 0 ? PdEpoll.IN : 0)
                | ((ops & (OP_WRITE | OP_CONNECT)) != 0 ? PdEpoll.OUT : 0);
    }

    /** What the selector has to watch is another socket now. Any thread. */
    void transportChanged() {
        selector.transportChanged(this);
    }

    @Override
    public String toString() {
        String state = isValid() ? "interestOps=" + interest + ", readyOps=" + ready : "invalid";
        return "channel=" + channel + ", selector=" + selector() + ", " + state;
    }
}
