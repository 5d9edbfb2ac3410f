// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a select returns, and with which keys. */
class SelectContractTest extends Contract {
    @ParameterizedTest
    @EnumSource(SelectForm.class)
    void whatIsReadyIsReported(SelectForm form) throws IOException {
        Connection connection = connect();
        Selector selector = openSelector(connection.client());
        SelectionKey key = register(selector, connection.client());
        Bytes.send(connection.server(), "x");
        Readiness.awaitReadable(connection.client());
        List<SelectionKey> ready = new ArrayList<>();
        assertEquals(1, form.call(selector, ready));
        assertEquals(List.of(key), ready);
        assertEquals(SelectionKey.OP_READ, key.readyOps());
        assertTrue(selector.selectedKeys().isEmpty());
    }

    @ParameterizedTest
    @EnumSource(names = {"SELECT", "TIMED", "CONSUMER", "TIMED_CONSUMER"})
    void aSelectWaitsForWhatArrives(SelectForm form) throws Exception {
        Connection connection = connect();
        Selector selector = openSelector(connection.client());
        SelectionKey key = register(selector, connection.client());
        for (int i = 0; i < 20; i++) {
            List<SelectionKey> ready = new ArrayList<>();
            Task<Integer> selecting = start(() -> form.call(selector, ready));
            if (i < 3) {
                selecting.awaitBlockedIn("select");
            }
            Bytes.send(connection.server(), "x");
            assertEquals(1, selecting.result());
            assertEquals(List.of(key), ready);
            assertEquals(1, connection.client().read(ByteBuffer.allocate(2)));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NOW", "CONSUMER_NOW"})
    void withNothingReadyASelectNowReturnsNothing(SelectForm form) throws IOException {
        Connection connection = connect();
        Selector selector = openSelector(connection.client());
        assertEquals(0, form.call(selector), "no keys");
        register(selector, connection.client());
        assertEquals(0, form.call(selector));
    }

    @ParameterizedTest
    @EnumSource(SelectForm.class)
    void aWakeupBeforehandEndsTheNextSelectAndOnlyThat(SelectForm form) throws Exception {
        Connection connection = connect();
        Selector selector = openSelector(connection.client());
        register(selector, connection.client());
        assertSame(selector, selector.wakeup());
        selector.wakeup();
        assertEquals(0, form.call(selector));
        blocks(selector);
    }

    @ParameterizedTest
    @EnumSource(names = {"SELECT", "TIMED", "CONSUMER", "TIMED_CONSUMER"})
    void aWakeupEndsASelectThatIsUnderWay(SelectForm form) throws Exception {
        Connection connection = connect();
        Selector selector = openSelector(connection.client());
        register(selector, connection.client());
        Task<Integer> selecting = start(() -> form.call(selector));
        selecting.awaitBlockedIn("select");
        selector.wakeup();
        assertEquals(0, selecting.result());
        // Many wake-ups in a row, at any moment.
        for (int i = 0; i < 200; i++) {
            Task<Integer> again = start(() -> form.call(selector));
            selector.wakeup();
            assertEquals(0, again.result());
        }
    }

    @Test
    void aWakeupDoesNotHideWhatIsReady() throws IOException {
        Connection connection = connect();
        Selector selector = openSelector(connection.client());
        register(selector, connection.client());
        Bytes.send(connection.server(), "x");
        Readiness.awaitReadable(connection.client());
        selector.wakeup();
        assertEquals(1, selector.select());
    }

    @Test
    void aWakeupWhileTheActionRunsEndsTheNextSelectAndOnlyThat() throws Exception {
        Connection connection = connect();
        Selector selector = openSelector(connection.client());
        register(selector, connection.client());
        Bytes.send(connection.server(), "x");
        assertEquals(1, selector.select(key -> {
            read(key);
            selector.wakeup();
        }));
        Task<Integer> next = start(() -> selector.select(SelectContractTest::read));
        assertEquals(0, next.result());
        blocks(selector);
    }

    @Test
    void aWakeupBeforehandIsAnsweredByASelectThatCallsTheAction() throws Exception {
        Connection connection = connect();
        Selector selector = openSelector(connection.client());
        register(selector, connection.client());
        Bytes.send(connection.server(), "x");
        Readiness.awaitReadable(connection.client());
        selector.wakeup();
        assertEquals(1, selector.select(SelectContractTest::read));
        blocks(selector);
    }

    private static void read(SelectionKey key) {
        try {
            assertEquals(1, ((SocketChannel) key.channel()).read(ByteBuffer.allocate(2)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void blocks(Selector selector) throws InterruptedException {
        Task<Integer> selecting = start(() -> selector.select());
        selecting.awaitBlockedIn("select");
        selector.wakeup();
        assertEquals(0, selecting.result());
    }

    @Test
    void aSelectorWithoutKeysBlocksToo() throws Exception {
        Selector selector = closeLater(pairing.client().openSelector());
        Task<Integer> selecting = start(() -> selector.select(0));
        selecting.awaitBlockedIn("select");
        selector.wakeup();
        assertEquals(0, selecting.result());
    }

    @Test
    void aTimedSelectReturnsNothingNotBeforeItsTime() throws IOException {
        Connection connection = connect();
        Selector selector = openSelector(connection.client());
        register(selector, connection.client());
        for (int millis : new int[] {1, 20, 60}) {
            long start = System.nanoTime();
            assertEquals(0, selector.select(millis));
            assertEquals(0, selector.select(key -> assertFalse(true, () -> key + " is not ready"), millis));
            long took = System.nanoTime() - start;
            assertTrue(took > TimeUnit.MILLISECONDS.toNanos(2L * millis - 1), () -> took + " ns for twice " + millis);
        }
    }

    @Test
    void theArgumentsAreChecked() throws IOException {
        Selector selector = closeLater(pairing.client().openSelector());
        assertThrowsExactly(IllegalArgumentException.class, () -> selector.select(-1));
        assertThrowsExactly(IllegalArgumentException.class, () -> selector.select(key -> {}, -1));
        assertThrowsExactly(NullPointerException.class, () -> selector.select(null));
        assertThrowsExactly(NullPointerException.class, () -> selector.select(null, 1));
        assertThrowsExactly(NullPointerException.class, () -> selector.selectNow(null));
    }

    @ParameterizedTest
    @EnumSource(SelectForm.class)
    void aClosedSelectorDoesNotSelect(SelectForm form) throws IOException {
        Selector selector = pairing.client().openSelector();
        selector.close();
        selector.close();
        assertFalse(selector.isOpen());
        assertThrowsExactly(ClosedSelectorException.class, () -> form.call(selector));
        assertThrowsExactly(ClosedSelectorException.class, selector::keys);
        assertThrowsExactly(ClosedSelectorException.class, selector::selectedKeys);
        assertSame(selector, selector.wakeup());
    }

    /** Netty counts selects that return for no reason, and rebuilds its selector. */
    @Test
    void whatIsOfNoInterestDoesNotEndASelect() throws Exception {
        Connection watched = connect();
        Connection other = connect();
        Selector selector = openSelector(watched.client());
        register(selector, watched.client());
        other.client().configureBlocking(false);
        SelectionKey mute = other.client().register(selector, 0);
        Task<Integer> selecting = start(() -> selector.select());
        selecting.awaitBlockedIn("select");
        Bytes.send(other.server(), "nobody asked for this");
        Readiness.awaitReadable(other.client());
        other.server().close();
        Bytes.send(watched.client(), "nor for this");
        Bytes.expect(watched.server(), "nor for this");
        selecting.awaitBlockedIn("select");
        assertEquals(0, mute.readyOps());
        Bytes.send(watched.server(), "x");
        assertEquals(1, selecting.result());
    }

    @Test
    void dataThatWereReadMeanwhileDoNotEndASelect() throws Exception {
        Connection connection = connect();
        Selector selector = openSelector(connection.client());
        register(selector, connection.client());
        Bytes.send(connection.server(), "x");
        assertEquals(1, selector.select());
        selector.selectedKeys().clear();
        assertEquals(1, connection.client().read(ByteBuffer.allocate(2)));
        Task<Integer> selecting = start(() -> selector.select());
        selecting.awaitBlockedIn("select");
        selector.wakeup();
        assertEquals(0, selecting.result());
    }

    @Test
    void theActionMayDoWhatItLikesWithTheKeys() throws IOException {
        Connection one = connect();
        Connection other = connect();
        Selector selector = openSelector(one.client());
        register(selector, one.client());
        register(selector, other.client());
        Bytes.send(one.server(), "x");
        Bytes.send(other.server(), "x");
        Readiness.awaitReadable(one.client());
        Readiness.awaitReadable(other.client());
        assertEquals(2, selector.select(key -> {
            assertThrowsExactly(IllegalStateException.class, selector::selectNow);
            key.cancel();
        }));
        assertEquals(0, selector.selectNow());
        assertTrue(selector.keys().isEmpty());
    }

    @Test
    void theActionIsNotCalledForWhatAnEarlierOneHasGivenUp() throws IOException {
        List<Connection> connections = List.of(connect(), connect());
        Selector selector = openSelector(connections.getFirst().client());
        List<SelectionKey> keys = new ArrayList<>();
        for (Connection connection : connections) {
            keys.add(register(selector, connection.client()));
            Bytes.send(connection.server(), "x");
            Readiness.awaitReadable(connection.client());
        }
        assertEquals(1, selector.select(key -> keys.forEach(each -> each.interestOps(0))));
        assertEquals(0, selector.selectNow(key -> fail("nobody asks for " + key)));
        assertTrue(selector.selectedKeys().isEmpty());
    }

    @Test
    void anExceptionOfTheActionIsPassedOnAndTheKeyIsReportedAgain() throws IOException {
        Connection connection = connect();
        Selector selector = openSelector(connection.client());
        register(selector, connection.client());
        Bytes.send(connection.server(), "x");
        Readiness.awaitReadable(connection.client());
        IllegalCallerException thrown = new IllegalCallerException("of the test");
        assertSame(
                thrown,
                assertThrowsExactly(
                        IllegalCallerException.class,
                        () -> selector.select(key -> {
                            throw thrown;
                        })));
        assertEquals(1, selector.select(key -> assertTrue(key.isReadable())));
    }

    private static SelectionKey register(Selector selector, SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        return channel.register(selector, SelectionKey.OP_READ);
    }
}
