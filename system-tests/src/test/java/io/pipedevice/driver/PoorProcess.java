// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.client.ControlEndpoint;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A process that uses PD Lib with no descriptor left, with one, with two, and so on, and each time again with enough of
 * them. Argument: the driver's directory. Prints the number of failures of each kind, WRONG for an unexpected one, and
 * DONE.
 */
final class PoorProcess {
    private static final int MOST_LEFT = 24;
    private static final int COMPETITIONS = 20;
    private static final int MISSES = 10;

    private static final int DROPS = 20;

    /**
     * Number of connections. Each takes the rings of one region, and together they exceed the number kept for reuse.
     */
    private static final int CONNECTIONS = 4;

    private static final long SOME_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Path directory;
    private final ControlEndpoint driver;
    private final ArrayDeque<EventFd> hoard = new ArrayDeque<>();
    private final Map<String, Integer> failures = new TreeMap<>();

    private PoorProcess(Path directory) {
        this.directory = directory;
        this.driver = DriverDirectory.at(directory);
    }

    public static void main(String[] arguments) throws Exception {
        LoadedClasses.loadAll(
                PipeDevice.class, "io/pipedevice/(client|lib|linux|memory|property|protocol|queue|wait)/[^-]*\\.class");
        LoadedClasses.loadAll(PoorProcess.class, "io/pipedevice/driver/(PoorProcess|TestDriver|TestFds).*\\.class");
        new PoorProcess(Path.of(arguments[0])).run();
        System.out.println("DONE");
    }

    private void run() throws IOException, InterruptedException {
        try (PipeDevice device = PipeDevice.init(driver)) {
            use(device);
            starve(0, device);
            int before = TestFds.kernelObjects(0);
            for (int left = 0; left <= MOST_LEFT; left++) {
                starve(left, device);
                use(device);
                attach();
            }
            missOne();
            compete();
            dropRegions();
            TestDriver.await(
                    "descriptors to be " + before,
                    () -> TestFds.kernelObjects(0) == before,
                    () -> "they are " + TestFds.kernelObjects(0));
        }
        failures.forEach((what, times) -> System.out.println(times + " x " + what));
    }

    private void starve(int left, PipeDevice device) {
        take(hoard);
        for (int i = 0; i < left; i++) {
            hoard.pop().close();
        }
        attempt("attach", this::attach);
        attempt("use", () -> use(device));
        hoard.forEach(EventFd::close);
        hoard.clear();
    }

    /**
     * Makes calls that lack one descriptor each. None may leave a descriptor in the driver, which runs in the parent
     * process.
     */
    private void missOne() throws IOException {
        long parent = ProcessHandle.current().parent().orElseThrow().pid();
        try (PipeDevice device = PipeDevice.init(driver)) {
            int before = TestFds.kernelObjects(parent);
            for (int i = 0; i < MISSES; i++) {
                take(hoard);
                hoard.pop().close();
                attempt("miss one", device::epoll);
                hoard.forEach(EventFd::close);
                hoard.clear();
            }
            int after = TestFds.kernelObjects(parent);
            if (after >= before + MISSES) {
                System.out.println("WRONG descriptors of the driver: " + before + ", then " + after);
            }
        }
    }

    /** Another thread takes the remaining descriptors at any moment, even those that a call has just freed. */
    private void compete() throws IOException, InterruptedException {
        try (PipeDevice device = PipeDevice.init(driver)) {
            AtomicBoolean over = new AtomicBoolean();
            Thread other = new Thread(() -> takeAndGive(over), "other");
            other.start();
            for (int i = 0; i < COMPETITIONS; i++) {
                // Each takes another doorbell, since those before are not closed.
                attempt("compete", device::epoll);
            }
            over.set(true);
            other.join();
            use(device);
        }
    }

    /** PD Lib drops a region of rings when no descriptor is left; the driver must drop it, too. */
    private void dropRegions() throws IOException, InterruptedException {
        try (DriverStat stat = DriverStat.open(directory);
                PipeDevice device = PipeDevice.init(driver)) {
            for (int i = 0; i < DROPS; i++) {
                connectAll(device);
                TestDriver.awaitCounter(stat, CounterType.CONNECTIONS, 0);
                AtomicBoolean over = new AtomicBoolean();
                Thread other = new Thread(() -> takeAndKeep(over), "other");
                other.start();
                // Every call first reclaims the memory that the driver no longer uses. The answer to this call has no
                // descriptor.
                attempt("drop", () -> device.socket().close());
                over.set(true);
                other.join();
            }
            connectAll(device);
        }
    }

    private static void takeAndKeep(AtomicBoolean over) {
        ArrayDeque<EventFd> taken = new ArrayDeque<>();
        while (!over.get()) {
            take(taken);
        }
        taken.forEach(EventFd::close);
    }

    private static void connectAll(PipeDevice device) throws PdException {
        ArrayDeque<PdSocket> sockets = new ArrayDeque<>();
        try {
            PdSocket listener = device.socket();
            sockets.push(listener);
            listener.bind(TestDriver.loopback(0));
            listener.listen(1);
            for (int i = 0; i < CONNECTIONS; i++) {
                PdSocket client = device.socket();
                sockets.push(client);
                client.connect(listener.localAddress());
                sockets.push(listener.accept(TestDriver.PATIENCE_NS));
            }
        } finally {
            sockets.forEach(PdSocket::close);
        }
    }

    private static void takeAndGive(AtomicBoolean over) {
        ArrayDeque<EventFd> taken = new ArrayDeque<>();
        while (!over.get()) {
            take(taken);
            taken.forEach(EventFd::close);
            taken.clear();
        }
    }

    private static void take(ArrayDeque<EventFd> hoard) {
        try {
            while (true) {
                hoard.push(EventFd.open());
            }
        } catch (LinuxException e) {
            if (e.errno() != Errno.EMFILE) {
                throw new AssertionError(e);
            }
        }
    }

    /** A call that may fail in only one way. */
    private interface Attempt {
        void run() throws PdException;
    }

    private void attempt(String name, Attempt attempt) {
        try {
            attempt.run();
        } catch (PdException e) {
            failures.merge(name + ": " + Errno.name(e.errno()) + " " + e.getMessage(), 1, Integer::sum);
        } catch (RuntimeException | Error e) {
            System.out.println("WRONG " + name + ": " + e);
            e.printStackTrace(System.out);
        }
    }

    private void attach() throws PdException {
        try (PipeDevice device = PipeDevice.init(driver)) {
            use(device);
        }
    }

    /** Makes every call that takes descriptors: for sockets, regions of rings, epoll instances, and sleep. */
    private static void use(PipeDevice device) throws PdException {
        try (PdSocket listener = device.socket();
                PdSocket client = device.socket()) {
            listener.bind(TestDriver.loopback(0));
            listener.listen(1);
            client.connect(listener.localAddress());
            try (PdSocket server = listener.accept(TestDriver.PATIENCE_NS)) {
                try (PdEpoll epoll = device.epoll()) {
                    epoll.await(new PdEvents(1), SOME_NS);
                }
                server.recv(1, new PdBuffer(), SOME_NS);
            }
        }
    }
}
