// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import io.pipedevice.protocol.PermitPageDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that asks a driver about connections whose close blocks: TCP sockets with SO_LINGER whose peers read
 * nothing. The driver has the last descriptor of each. Arguments: the driver's directory, the number of participations,
 * how many of these connections each one asks about, and then about how many whose close does not block. Prints HOGS
 * when it has asked, and keeps all until its input ends.
 */
final class QuestionHog {
    private static final int LINGER_S = 45;

    private final List<RawControl> controls = new ArrayList<>();
    private final List<SharedRegion> permits = new ArrayList<>();
    private final ServerSocketChannel listener;
    private final SocketChannel plain;
    private final Fd plainFd;

    private QuestionHog() throws IOException {
        listener = ServerSocketChannel.open()
                .setOption(StandardSocketOptions.SO_RCVBUF, 4096)
                .bind(TestDriver.loopback(0), 1024);
        plain = SocketChannel.open();
        plainFd = TestFds.of(plain);
        plain.connect(listener.getLocalAddress());
    }

    public static void main(String[] arguments) throws IOException {
        QuestionHog hog = new QuestionHog();
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            hog.takePart(Path.of(arguments[0]));
            try {
                for (int j = 0; j < Integer.parseInt(arguments[2]); j++) {
                    hog.askLingering();
                }
                for (int j = 0; j < Integer.parseInt(arguments[3]); j++) {
                    hog.ask(hog.plainFd);
                }
            } catch (LinuxException e) {
                System.out.println("sent away: " + e.getMessage());
            }
        }
        System.out.println("HOGS");
        System.in.read();
    }

    private void takePart(Path directory) throws IOException {
        RawControl control = new RawControl(TestDriver.endpoint(directory).connect());
        controls.add(control);
        control.request(IntroductionMessage.JOIN);
        if (control.call().argument() != 0) {
            control.fds.closeAll();
            SharedRegion memory = SharedRegion.create("hog", PermitPageDescriptor.length(), false);
            memory.allocate(0, memory.size());
            permits.add(memory);
            control.request(IntroductionMessage.PERMITS).argument(memory.size());
            send(memory.fd());
        }
    }

    private void send(Fd along) throws LinuxException {
        RawControl control = controls.getLast();
        control.socket.sendBlocking(control.message.memory(), 0, ControlMessage.LENGTH, along);
    }

    private void ask(Fd socket) throws LinuxException {
        controls.getLast().request(IntroductionMessage.ACCEPTED).socketId(1).value(1);
        send(socket);
    }

    private void askLingering() throws IOException {
        SocketChannel lingering = SocketChannel.open();
        Fd fd = TestFds.of(lingering);
        lingering.setOption(StandardSocketOptions.SO_SNDBUF, 64 << 10);
        lingering.connect(listener.getLocalAddress());
        lingering.configureBlocking(false);
        ByteBuffer bytes = ByteBuffer.allocate(64 << 10);
        while (lingering.write(bytes.clear()) > 0) {
            Thread.onSpinWait();
        }
        lingering.setOption(StandardSocketOptions.SO_LINGER, LINGER_S);
        ask(fd);
        // On another thread: if the driver has closed its descriptor before, this is the last one.
        Thread.ofPlatform().daemon().start(() -> close(lingering));
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
