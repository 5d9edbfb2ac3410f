// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.SocketSearch;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sun.nio.ch.DefaultSelectorProvider;
import sun.nio.ch.SelChImpl;

/** Listeners of the driver's own network namespace: which are found, and which are only claimed. */
@Timeout(60)
class NeighbourQuestionsTest {
    private static final int NUMBER = 7;

    private TestDriver driver;
    private RawControl server;
    private RawControl client;
    private ServerSocketChannel kernel;

    @BeforeEach
    void start() throws IOException {
        driver = new TestDriver();
        server = join();
        client = join();
        kernel = DefaultSelectorProvider.get().openServerSocketChannel();
        kernel.bind(TestDriver.loopback(0));
    }

    @AfterEach
    void end() throws Exception {
        client.close();
        server.close();
        driver.close();
        kernel.close();
    }

    private RawControl join() throws IOException {
        RawControl joined = new RawControl(TestDriver.endpoint(driver.directory).connect());
        joined.request(IntroductionMessage.JOIN);
        assertEquals(0, joined.call().status());
        return joined;
    }

    private int descriptor() {
        return ((SelChImpl) kernel).getFDVal();
    }

    private long inode() throws IOException {
        return SocketSearch.inode(ProcessFacts.self(), descriptor());
    }

    private void serves(int number, int descriptor, long inode) throws IOException {
        server.request(IntroductionMessage.SERVES)
                .socketId(number)
                .value(descriptor)
                .argument(inode);
        server.post();
    }

    private ControlMessage find(long inode) throws IOException {
        client.request(IntroductionMessage.FIND).argument(inode).localAddress((InetSocketAddress)
                kernel.getLocalAddress());
        return client.call();
    }

    private int errnoOfLink(int type, int number) throws IOException {
        int self = ProcessFacts.self();
        client.request(type).socketId(number).value(self).argument(ProcessFacts.startTime(self));
        int errno = client.call().status();
        client.fds.closeAll();
        return errno;
    }

    @Test
    void aListenerIsFoundByItsSocketUntilItIsClosed() throws IOException {
        serves(NUMBER, descriptor(), inode());
        ControlMessage found = find(inode());
        assertEquals(0, found.status(), found.text());
        assertEquals(ProcessFacts.self(), found.value());
        assertEquals(NUMBER, found.socketId());

        server.request(IntroductionMessage.LISTENS).socketId(NUMBER).value(0);
        server.post();
        // The two processes have control connections of their own.
        while (find(inode()).status() == 0) {
            Thread.onSpinWait();
        }
        assertEquals(Errno.ENOENT, find(inode()).status());
    }

    @Test
    void aSocketThatIsClosedIsNotFound() throws IOException {
        serves(NUMBER, descriptor(), inode());
        long inode = inode();
        InetSocketAddress at = (InetSocketAddress) kernel.getLocalAddress();
        assertEquals(0, find(inode).status());
        kernel.close();
        client.request(IntroductionMessage.FIND).argument(inode).localAddress(at);
        assertEquals(Errno.ENOENT, client.call().status());
    }

    @Test
    void aSocketThatTheProcessDoesNotHaveIsNotFound() throws IOException {
        serves(NUMBER, descriptor() + 1000, inode());
        serves(NUMBER + 1, -1, inode());
        serves(NUMBER + 2, 0, 0);
        assertEquals(Errno.ENOENT, find(inode()).status());
        assertEquals(Errno.ENOENT, find(0).status());
        assertEquals(Errno.ENOENT, find(-1).status());
    }

    @Test
    void aLinkNeedsAnAnswerOfItsKind() throws IOException {
        serves(NUMBER, descriptor(), inode());
        assertEquals(Errno.EACCES, errnoOfLink(IntroductionMessage.LINK_NEIGHBOUR, NUMBER));
        assertEquals(0, find(inode()).status());
        assertEquals(Errno.EACCES, errnoOfLink(IntroductionMessage.LINK, NUMBER));
        assertEquals(Errno.EACCES, errnoOfLink(IntroductionMessage.LINK_NEIGHBOUR, NUMBER + 1));
        assertEquals(0, errnoOfLink(IntroductionMessage.LINK_NEIGHBOUR, NUMBER));
        // One answer, one link.
        assertEquals(Errno.EACCES, errnoOfLink(IntroductionMessage.LINK_NEIGHBOUR, NUMBER));
    }
}
