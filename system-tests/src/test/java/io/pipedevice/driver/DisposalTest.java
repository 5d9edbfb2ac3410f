// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.control.Admission;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The driver receives a descriptor whose close blocks, here that of a TCP socket with SO_LINGER whose peer reads
 * nothing. However the driver received the descriptor, it continues.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DisposalTest {
    private static final int LINGER_S = 45;
    private static final long MOMENT_MS = 200;

    /** Number of descriptors; more than the driver closes at a time for one process. */
    private static final int MANY = 40;

    /** Number of connections that are refused; more than there are closing threads. */
    private static final int REFUSED = 70;

    private HostileFixture fixture;
    private ServerSocketChannel listener;
    private SocketChannel lingering;
    private Fd trap;

    @BeforeEach
    void setTheTrap() throws IOException {
        begin(new DriverContext());
    }

    private void begin(DriverContext context) throws IOException {
        fixture = new HostileFixture(context);
        listener = ServerSocketChannel.open()
                .setOption(StandardSocketOptions.SO_RCVBUF, 4096)
                .bind(TestDriver.loopback(0), 2 * MANY);
        setAnother();
    }

    private void setAnother() throws IOException {
        lingering = SocketChannel.open();
        trap = TestFds.of(lingering);
        lingering.setOption(StandardSocketOptions.SO_LINGER, LINGER_S);
        lingering.setOption(StandardSocketOptions.SO_SNDBUF, 64 << 10);
        lingering.connect((InetSocketAddress) listener.getLocalAddress());
        lingering.configureBlocking(false);
        ByteBuffer bytes = ByteBuffer.allocate(64 << 10);
        while (lingering.write(bytes.clear()) > 0) {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void othersGoOnAndNothingIsLeft() throws IOException {
        try {
            // A driver that waited for the lingering close would be too late for the first one.
            for (int i = 0; i < 100; i++) {
                fixture.pair.exchange();
            }
        } finally {
            end();
        }
    }

    private void end() throws IOException {
        // Resets the connection, so that nothing lingers any more.
        listener.close();
        lingering.close();
        fixture.close();
    }

    /**
     * Closes this process's reference, so that only the driver, or a message to it, has one. If the driver has closed
     * its own before, this is the last one, which lingers itself.
     */
    private void release() {
        SocketChannel last = lingering;
        Thread closing = Thread.ofPlatform().daemon().start(() -> close(last));
        try {
            closing.join(MOMENT_MS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void withADoorbell() throws IOException {
        fixture.hostile.control.send(new byte[] {1}, trap);
        release();
        fixture.assertDetached("not requested");
    }

    @Test
    void withARequestThatIsRefused() throws IOException {
        request();
        release();
        fixture.hostile.control.receive();
        fixture.assertServed();
    }

    @Test
    void withManyRequestsThatAreRefused() throws IOException {
        // Of another kind than the line below, of which the log shows one a minute.
        try (DriverLog.Hold disconnecting = fixture.log.hold("is disconnected");
                RawControl another = connect()) {
            another.send(new byte[100]);
            disconnecting.awaitReached();
            for (int i = 0; i < MANY; i++) {
                request();
                release();
                setAnother();
            }
        }
        assertTrue(fixture.hostile.control.awaitEnd(30_000));
        assertTrue(fixture.log.has(Level.WARNING, "take long to close"));
    }

    private void request() throws IOException {
        fixture.hostile.request(ControlMessage.ADD_REGION).value(1).argument(4096);
        fixture.hostile.control.socket.sendBlocking(
                fixture.hostile.control.message.memory(), 0, ControlMessage.LENGTH, trap);
    }

    @Test
    void withMoreDescriptorsThanFit() throws IOException {
        Fd[] many = new Fd[UnixSocket.MAX_FDS];
        Arrays.fill(many, trap);
        fixture.hostile.control.send(new byte[400], many);
        release();
        fixture.assertDetached("too long");
    }

    @Test
    void withWhatIsNeverReceived() throws IOException {
        try (DriverLog.Hold detaching = fixture.log.hold("is detached")) {
            fixture.hostile.control.send(new byte[100]);
            detaching.awaitReached();
            for (int i = 0; i < 10; i++) {
                fixture.hostile.control.send(new byte[100], trap);
            }
            release();
        }
        fixture.assertDetached("not a message");
    }

    /** Sends the descriptor; returns false if the kernel refuses it. */
    private boolean sendMaybe(UnixSocket socket) throws IOException {
        try {
            socket.sendBlocking(fixture.hostile.control.message.memory(), 0, 10, trap);
            return true;
        } catch (LinuxException e) {
            assertEquals(Errno.EPERM, e.errno());
            // Otherwise this process's own close would block.
            lingering.setOption(StandardSocketOptions.SO_LINGER, -1);
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withConnectionsThatAreRefused(boolean guarded) throws IOException {
        end();
        begin(new DriverContext().guarded(guarded));
        List<RawControl> connections = new ArrayList<>();
        try {
            do {
                connections.add(connect());
            } while (isServed(connections.getLast()));
            boolean sent = false;
            try (DriverLog.Hold detaching = fixture.log.hold("is detached")) {
                fixture.hostile.control.send(new byte[100]);
                detaching.awaitReached();
                for (int i = 0; i < REFUSED; i++) {
                    try (RawControl refused = connect()) {
                        sent |= sendMaybe(refused.socket);
                    }
                    release();
                    setAnother();
                }
            }
            fixture.driver.awaitCounter(CounterType.NOT_ADMITTED, 1 + REFUSED);
            long closing = fixture.driver.counter(CounterType.CLOSING);
            assertTrue(sent ? closing >= REFUSED : closing == 0, closing + " descriptors are being closed");
        } finally {
            connections.forEach(RawControl::close);
        }
        // Each connection counts until it is closed, which would never happen if its close waited for those that
        // linger.
        for (int i = 0; i < 2 * Admission.MAX_OF_PROCESS; i++) {
            TestDriver.await("room for another", this::isAdmitted);
        }
    }

    private RawControl connect() throws IOException {
        return new RawControl(TestDriver.endpoint(fixture.driver.directory).connect());
    }

    /** Whether the driver has not refused a connection. */
    private static boolean isServed(RawControl control) {
        try {
            control.request(ControlMessage.OBSERVE);
            control.call();
            control.fds.closeAll();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isAdmitted() throws IOException {
        try (RawControl control = connect()) {
            return isServed(control);
        }
    }

    @Test
    void throughADoorbell() throws IOException {
        sendMaybe(fixture.hostile.doorbell());
        release();
        fixture.assertServed();
        fixture.hostile.control.send(new byte[100]);
        fixture.assertDetached("not a message");
    }
}
