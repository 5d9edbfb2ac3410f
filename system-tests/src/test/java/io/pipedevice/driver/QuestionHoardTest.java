// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.broker.Broker;
import io.pipedevice.broker.BrokeredListener;
import io.pipedevice.broker.Introduction;
import io.pipedevice.broker.Joins;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import sun.nio.ch.SelChImpl;

/** Whatever a container asks a driver about connections, others are introduced and attach meanwhile. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class QuestionHoardTest {
    private static final List<String> OTHER_NAMESPACE =
            List.of("unshare", "-n", "sh", "-c", "ip link set lo up; exec \"$@\"", "sh");

    /** Together they take part more often than the driver has threads that read sockets. */
    private static final int HOGS = 5;

    private static final int PARTICIPATIONS = 16;
    private static final int DESCRIPTORS = 1024;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int ROUNDS = 5;

    @TempDir
    private Path directory;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @BeforeEach
    void needRights() {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "the driver needs CAP_NET_ADMIN");
    }

    @AfterEach
    void end() throws Exception {
        while (!open.isEmpty()) {
            open.removeLast().close();
        }
    }

    private <T extends AutoCloseable> T keep(T one) {
        open.add(one);
        return one;
    }

    private ChildJvm driver(String... wrapper) throws IOException {
        ChildJvm driver = keep(ChildJvm.start(List.of(wrapper), List.of(), DriverProcess.class, directory.toString()));
        driver.expect("RUNS");
        return driver;
    }

    private ChildJvm hog(int participations, int lingering, int plain) throws IOException {
        return keep(ChildJvm.start(
                OTHER_NAMESPACE,
                ChildJvm.inheritedFlags(),
                QuestionHog.class,
                directory.toString(),
                Integer.toString(participations),
                Integer.toString(lingering),
                Integer.toString(plain)));
    }

    @Test
    void socketsWhoseCloseBlocksKeepNoOtherContainerFromIntroductions() throws Exception {
        driver();
        List<ChildJvm> hogs = new ArrayList<>();
        for (int i = 0; i < HOGS; i++) {
            hogs.add(hog(PARTICIPATIONS, 1, 0));
        }
        for (ChildJvm hog : hogs) {
            hog.expect("HOGS");
        }
        assertIntroductions();
        hogs.forEach(ChildJvm::close);
        assertIntroductions();
    }

    @Test
    void questionsOfAContainerLeaveDescriptorsForOthers() throws Exception {
        ChildJvm driver = driver("prlimit", "--nofile=" + DESCRIPTORS + ":" + DESCRIPTORS);
        hog(9, 5, 123).expect("HOGS");
        long begin = System.nanoTime();
        RawClient.attach(TestDriver.endpoint(directory), 64, 16).close();
        assertTrue(System.nanoTime() - begin < PATIENCE_NS / 4, System.nanoTime() - begin + " ns");
        assertIntroductions();
        int held = TestFds.kernelObjects(driver.pid());
        assertTrue(held < DESCRIPTORS / 2, held + " descriptors");
    }

    private void assertIntroductions() throws Exception {
        Broker servers = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()));
        Broker clients = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()));
        Joins.join(clients);
        Joins.join(servers);
        ServerSocketChannel kernel = keep(ServerSocketChannel.open());
        kernel.bind(TestDriver.loopback(0));
        BrokeredListener<SocketChannel> listener = keep(
                servers.listen((InetSocketAddress) kernel.getLocalAddress(), null, ROUNDS, QuestionHoardTest::close));
        for (int i = 0; i < ROUNDS; i++) {
            SocketChannel client = keep(SocketChannel.open());
            client.bind(TestDriver.loopback(0));
            InetSocketAddress from = (InetSocketAddress) client.getLocalAddress();
            Introduction introduction = clients.intend(from.getPort(), (InetSocketAddress) kernel.getLocalAddress());
            assertNotNull(introduction);
            client.connect(kernel.getLocalAddress());
            SocketChannel accepted = keep(kernel.accept());
            assertTrue(listener.hold(accepted, socket(accepted), from.getPort()));
            introduction.ask(socket(client), from, () -> {});
            assertTrue(introduction.await(PATIENCE_NS));
            keep(introduction.connect(from, (InetSocketAddress) client.getRemoteAddress(), false));
            BrokeredListener.Accepted<SocketChannel> arrival = listener.accept();
            while (arrival == null) {
                TimeUnit.MILLISECONDS.sleep(1);
                arrival = listener.accept();
            }
            assertEquals(accepted, arrival.kernel());
            keep(arrival.rings());
        }
    }

    private static Fd socket(SocketChannel channel) throws IOException {
        return TcpPort.duplicate(((SelChImpl) channel).getFDVal(), (InetSocketAddress) channel.getLocalAddress());
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
