// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.linux.DeviceFile;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.PidFd;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.SharedRegion;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Descriptors of many kinds, each with a name, for passing where another kind is expected. One thread opens and closes
 * them; any thread may use them.
 */
public final class StrangeFds implements AutoCloseable {
    /** Size of the memory objects whose size is correct. */
    public static final int SIZE = 64 << 10;

    private static final long SPARSE = 1L << 30;

    /** A descriptor and its kind. */
    public record Named(String name, Fd fd) {}

    private interface Step {
        AutoCloseable run() throws IOException;
    }

    private final List<Named> all = new ArrayList<>();

    /** The owners of the descriptors, and their other ends. */
    private final List<AutoCloseable> kept = new ArrayList<>();

    private StrangeFds() {}

    /** Opens one of each kind. */
    public static StrangeFds open() throws IOException {
        StrangeFds fds = new StrangeFds();
        fds.memory();
        fds.unix();
        fds.kernel();
        fds.java();
        return fds;
    }

    /** Returns a random one. */
    public Named any(Random random) {
        return all.get(random.nextInt(all.size()));
    }

    private void add(String name, Fd fd) {
        all.add(new Named(name, fd));
        kept.add(fd);
    }

    private void add(String name, SharedRegion region) {
        all.add(new Named(name, region.fd()));
        kept.add(region);
    }

    private void memory() throws IOException {
        add("sealed memory", SharedRegion.create("pd-strange", SIZE, false));
        add("sealed memory of one page", SharedRegion.create("pd-strange", 4096, false));
        add("sealed sparse memory", SharedRegion.create("pd-strange", SPARSE, false));
        add("memory without seals", memory(SIZE, 0));
        add("memory that can shrink", memory(SIZE, SharedRegion.REQUIRED_SEALS & ~Memory.SEAL_SHRINK));
        add("memory that can be written", memory(SIZE, SharedRegion.REQUIRED_SEALS & ~Memory.SEAL_FUTURE_WRITE));
        add("sealed memory of half a page", memory(2048, SharedRegion.REQUIRED_SEALS));
        add("sealed memory of 0 bytes", memory(0, SharedRegion.REQUIRED_SEALS));
    }

    private static Fd memory(long size, int seals) throws IOException {
        Fd fd = Memory.memfd("pd-strange", Memory.PageSize.NORMAL);
        Memory.resize(fd, size);
        if (seals != 0) {
            Memory.addSeals(fd, seals);
        }
        return fd;
    }

    private void unix() throws IOException {
        for (UnixSocket.Type type : UnixSocket.Type.values()) {
            UnixSocket[] pair = UnixSocket.pair(type);
            add("Unix socket " + type, pair[0].fd());
            kept.add(pair[1]);
            UnixSocket[] gone = UnixSocket.pair(type);
            gone[1].close();
            add("Unix socket " + type + " without a peer", gone[0].fd());
            UnixSocket[] shut = UnixSocket.pair(type);
            shut[0].shutdown(true, true);
            add("Unix socket " + type + " that is shut down", shut[0].fd());
            kept.add(shut[1]);
        }
    }

    private void kernel() throws IOException {
        add("eventfd", EventFd.open().fd());
        add("epoll", Epoll.open().fd());
        add("pidfd", PidFd.open((int) ProcessHandle.current().pid()).fd());
        add("/dev/zero", DeviceFile.open("/dev/zero").fd());
        add("/dev/null", DeviceFile.open("/dev/null").fd());
    }

    private void java() throws IOException {
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ServerSocketChannel listener = ServerSocketChannel.open().bind(loopback);
        kept.add(listener);
        addOpened("TCP socket", SocketChannel::open);
        addOpened("TCP connection", () -> SocketChannel.open(listener.getLocalAddress()));
        addOpened("TCP listener", () -> ServerSocketChannel.open().bind(loopback));
        addOpened("UDP socket", () -> DatagramChannel.open().bind(loopback));
        addOpened("pipe", () -> {
            Pipe pipe = Pipe.open();
            return () -> {
                pipe.source().close();
                pipe.sink().close();
            };
        });
        addOpened("directory", () -> FileChannel.open(Path.of("/"), StandardOpenOption.READ));
        addOpened("/proc/self/maps", () -> FileChannel.open(Path.of("/proc/self/maps"), StandardOpenOption.READ));
        addOpened("file", () -> {
            Path file = Files.createTempFile("pd-strange", null);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            Files.delete(file);
            return channel;
        });
    }

    /** Adds the descriptors that Java opens in a step. Java still owns them. */
    private void addOpened(String name, Step step) throws IOException {
        Set<String> before = numbers();
        kept.add(step.run());
        for (String number : numbers()) {
            if (!before.contains(number)) {
                all.add(new Named(name, Fd.own(Integer.parseInt(number))));
            }
        }
    }

    /** Without the descriptor of the listed directory itself. */
    private static Set<String> numbers() {
        Set<String> numbers = new HashSet<>(Arrays.asList(new File("/proc/self/fd").list()));
        numbers.removeIf(number -> !new File("/proc/self/fd/" + number).exists());
        return numbers;
    }

    @Override
    public void close() throws IOException {
        for (AutoCloseable each : kept) {
            try {
                each.close();
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }
}
