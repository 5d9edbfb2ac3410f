// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.EventFd;
import java.io.IOException;
import java.lang.reflect.Proxy;
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

    /** A channel of PipeDevice with a kernel channel inside, of which only the selector's side is simulated. */
    @SuppressWarnings("ReferenceEquality")
    private static final class Played extends AbstractSelectableChannel implements Selectable {
        private int descriptor;

        /** The number of calls of isOpen that return true. */
        private int openFor;

        private final SelChImpl kernel = (SelChImpl) Proxy.newProxyInstance(
                Played.class.getClassLoader(),
                new Class<?>[] {SelChImpl.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getFDVal" -> descriptor;
                    case "isOpen" -> openFor-- > 0;
                    case "translateInterestOps" -> Epoll.IN;
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> 1;
                    default -> throw new AssertionError(method);
                });

        Played(EventFd flag, int openFor) throws IOException {
            super(JDK);
            this.openFor = openFor;
            is(flag);
        }

        /** From now on the channel's descriptor has the number of another file. */
        void is(EventFd flag) throws IOException {
            descriptor = flag.fd().acquire();
            flag.fd().release();
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
    void aChannelThatWasClosedWhileItWasAddedIsNotWatched() throws IOException {
        Played closed = new Played(one, 1);
        PdSelectionKey closedKey = closed.key(selector);
        watches.update(closedKey);
        assertFalse(closedKey.isWatchedByDescriptor());
        assertNull(watches.of(closed.descriptor));
        watches.drop(closedKey);
        Played next = new Played(one, Integer.MAX_VALUE);
        PdSelectionKey nextKey = next.key(selector);
        watches.update(nextKey);
        assertSame(nextKey, watches.of(next.descriptor));
        assertEquals(1, poller.pollKernel());
        assertEquals(List.of(next.descriptor), reported);
    }

    @Test
    void aChannelThatWasClosedBeforeItsInterestChangedIsNotWatched() throws IOException {
        Played closing = new Played(one, 2);
        PdSelectionKey key = closing.key(selector);
        watches.update(key);
        assertSame(key, watches.of(closing.descriptor));
        closing.is(another);
        closing.openFor = 1;
        key.descriptorEvents = Epoll.OUT;
        watches.update(key);
        assertFalse(key.isWatchedByDescriptor());
    }
}
