// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.EventFd;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sun.nio.ch.SelChImpl;
import sun.nio.ch.SelectionKeyImpl;

/** Channels that another thread closes in the middle of an update, and descriptors that get their numbers. */
@Timeout(60)
class KeyWatchesTest {
    private static final SelectorProvider JDK = SelectorProvider.provider();

    private final List<Integer> reported = new ArrayList<>();
    private CompositePoller poller;
    private KeyWatches watches;
    private Selector selector;
    private EventFd one;
    private EventFd another;

    @BeforeEach
    void open() throws IOException {
        poller = new CompositePoller(new WakeUp(), () -> false, new CompositePoller.Sink() {
            @Override
            public void kernel(int descriptor, int events) {
                reported.add(descriptor);
            }

            @Override
            public void ring(Object attachment, int events) {
                throw new AssertionError("there are none");
            }
        });
        watches = new KeyWatches(poller);
        selector = new PdSelector(JDK);
        one = EventFd.open();
        another = EventFd.open();
        one.signal();
    }

    @AfterEach
    void close() throws IOException {
        poller.close();
        selector.close();
        one.close();
        another.close();
    }

    /** Ignores changes of keys: each test updates what is watched itself. */
    private static final class Unheard implements KeyListener {
        @Override
        public void interestChanged(PdSelectionKey key) {}

        @Override
        public void transportChanged(PdSelectionKey key) {}
    }

    /** A kernel channel, of which only what a selector asks for is simulated. */
    private static final class PlayedKernel implements SelChImpl {
        private int descriptor;
        private boolean open = true;

        /** Whether another thread closes the channel as soon as its descriptor has been read. */
        private boolean closesWhenRead;

        @Override
        public int getFDVal() {
            open = open && !closesWhenRead;
            return descriptor;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public int translateInterestOps(int ops) {
            return Epoll.IN;
        }

        @Override
        public FileDescriptor getFD() {
            throw new AssertionError("a selector asks for the number");
        }

        @Override
        public boolean translateAndUpdateReadyOps(int ops, SelectionKeyImpl key) {
            throw new AssertionError("nobody selects");
        }

        @Override
        public boolean translateAndSetReadyOps(int ops, SelectionKeyImpl key) {
            throw new AssertionError("nobody selects");
        }

        @Override
        public void kill() {}

        @Override
        public void close() {}
    }

    /** A channel of PipeDevice with a kernel channel inside, of which only the selector's side is simulated. */
    private static final class Played extends AbstractSelectableChannel implements Selectable {
        private final PlayedKernel kernel = new PlayedKernel();

        Played(EventFd flag) throws IOException {
            super(JDK);
            is(flag);
        }

        /** From now on the channel's descriptor has the number of another file. */
        void is(EventFd flag) throws IOException {
            kernel.descriptor = flag.fd().acquire();
            flag.fd().release();
        }

        int descriptor() {
            return kernel.descriptor;
        }

        PdSelectionKey key(Selector selector) {
            PdSelectionKey key = new PdSelectionKey(selector, new Unheard(), this);
            key.interestOps(SelectionKey.OP_READ);
            return key;
        }

        @Override
        public SelChImpl kernel() {
            return kernel;
        }

        @Override
        public PdSource ring() {
            return null;
        }

        @Override
        public int readyOps(int interest, int kernelEvents, int ringEvents) {
            throw new AssertionError("nobody selects");
        }

        @Override
        public void registered(PdSelectionKey key) {}

        @Override
        public void deregistered(PdSelectionKey key) {}

        @Override
        public int validOps() {
            return SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        }

        @Override
        protected void implCloseSelectableChannel() {}

        @Override
        protected void implConfigureBlocking(boolean block) {}
    }

    @Test
    void aChannelThatIsClosedWhileItIsAddedIsNotWatched() throws IOException {
        Played closed = new Played(one);
        closed.kernel.closesWhenRead = true;
        PdSelectionKey closedKey = closed.key(selector);
        watches.update(closedKey);
        assertFalse(closedKey.isWatchedByDescriptor());
        assertNull(watches.of(closed.descriptor()));
        watches.drop(closedKey);
        Played next = new Played(one);
        PdSelectionKey nextKey = next.key(selector);
        watches.update(nextKey);
        assertSame(nextKey, watches.of(next.descriptor()));
        assertEquals(1, poller.pollKernel());
        assertEquals(List.of(next.descriptor()), reported);
    }

    @Test
    void aChannelThatIsClosedWhileItsInterestChangesIsNotWatched() throws IOException {
        Played closing = new Played(one);
        PdSelectionKey key = closing.key(selector);
        watches.update(key);
        assertSame(key, watches.of(closing.descriptor()));
        // Its number belongs to a file that is not in the set.
        closing.is(another);
        closing.kernel.closesWhenRead = true;
        key.descriptorEvents = Epoll.OUT;
        watches.update(key);
        assertFalse(key.isWatchedByDescriptor());
    }
}
