// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.ControlMessage;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.UnixSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A descriptor whose close blocks, here that of a TCP socket with SO_LINGER whose peer reads nothing: whatever way it comes
 * to the driver, the driver goes on.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DisposalTest {
    private static final int LINGER_S = 45;

    /** Descriptors; more than the driver has being closed for one process. */
    private static final int MANY = 40;

    private HostileFixture fixture;
    private ServerSocketChannel listener;
    private SocketChannel lingering;
    private Fd trap;

    @BeforeEach
    void setTheTrap() throws IOException {
        fixture = new HostileFixture();
        listener = ServerSocketChannel.open()
                .setOption(StandardSocketOptions.SO_RCVBUF, 4096)
                .bind(TestDriver.loopback(0), 2 * MANY);
        setAnother();
    }

    private void setAnother() throws IOException {
        trap = TestFds.opened(() -> lingering = SocketChannel.open());
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
            // A driver that waited for what lingers would be too late for the first one.
            for (int i = 0; i < 100; i++) {
                fixture.pair.exchange();
            }
        } finally {
            // Resets the connection, so that nothing lingers any more.
            listener.close();
            lingering.close();
            fixture.close();
        }
    }

    /** From now on the driver has the only reference, or a message to it has. */
    private void letGo() throws IOException {
        lingering.close();
    }

    @Test
    void withADoorbell() throws IOException {
        fixture.hostile.control.send(new byte[] {1}, trap);
        letGo();
        fixture.assertDetached("nobody asked for");
    }

    @Test
    void withARequestThatIsRefused() throws IOException {
        request();
        letGo();
        fixture.hostile.control.receive();
        fixture.assertServed();
    }

    @Test
    void withManyRequestsThatAreRefused() throws IOException {
        try (DriverLog.Hold detaching = fixture.log.hold("is detached");
                RawClient another = fixture.driver.attach()) {
            another.control.send(new byte[100]);
            detaching.awaitReached();
            for (int i = 0; i < MANY; i++) {
                request();
                letGo();
                setAnother();
            }
        }
        assertTrue(fixture.hostile.control.awaitEnd(10_000));
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
        letGo();
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
            letGo();
        }
        fixture.assertDetached("no message");
    }

    @Test
    void throughADoorbell() throws IOException {
        fixture.hostile.doorbell().sendBlocking(fixture.hostile.control.message.memory(), 0, 10, trap);
        letGo();
        fixture.assertServed();
        fixture.hostile.control.send(new byte[100]);
        fixture.assertDetached("no message");
    }
}
