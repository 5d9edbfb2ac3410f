// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program.socket;

import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Calls that wait: their timeouts, interrupts, and the close by another thread. */
final class WaitScenarios {
    /** More than any transport buffers. */
    private static final int TOO_MUCH = 64 << 20;

    private static final byte[] LARGE = new byte[TOO_MUCH];

    /** The methods of a read, of the JDK and of the provider, that run when it has taken its timeout. */
    private static final Set<String> WITH_TIMEOUT =
            Set.of("sun.nio.ch.NioSocketImpl.tryRead", "io.pipedevice.nio.channel.ChannelReader.read");

    /** The methods of a read, of the JDK and of the provider, that run while no other thread reads from the socket. */
    private static final Set<String> IN_TURN = Set.of(
            "sun.nio.ch.NioSocketImpl.implRead",
            "io.pipedevice.nio.transport.RingTransport.read",
            "io.pipedevice.nio.transport.KernelTransport.read",
            "io.pipedevice.nio.transport.ParkingKernelTransport.read");

    private WaitScenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new TreeMap<>();
        all.put("a read times out, and the next succeeds", (ends, log) -> {
            Socket socket = ends.tested();
            socket.setSoTimeout(50);
            long start = System.nanoTime();
            log.accept(Call.outcome(ends.in()::read));
            log.accept("" + (System.nanoTime() - start >= 49_000_000));
            ends.peer().getOutputStream().write(5);
            socket.setSoTimeout(5000);
            log.accept("" + socket.getInputStream().read() + " " + socket.getSoTimeout());
        });
        all.put("a timeout that is set while a read waits", (ends, log) -> {
            // A read takes the timeout at its begin, and no other scenario depends on what a read has done.
            Call read = Call.blocked(false, ends.in()::read).reaches(WITH_TIMEOUT);
            ends.tested().setSoTimeout(10);
            log.accept(read.isBlocked(false));
            ends.peer().getOutputStream().write(6);
            log.accept(read.outcome());
        });
        for (boolean virtual : new boolean[] {false, true}) {
            String by = virtual ? ", virtual thread" : "";
            all.put("a close ends a read" + by, (ends, log) -> {
                Call read = Call.blocked(virtual, ends.in()::read);
                ends.tested().close();
                log.accept(read.outcome());
                log.accept("" + ends.peer().getInputStream().read());
            });
            all.put("a close ends a timed read" + by, (ends, log) -> {
                ends.tested().setSoTimeout(60_000);
                Call read = Call.blocked(virtual, ends.in()::read);
                ends.tested().close();
                log.accept(read.outcome());
            });
            all.put("a close ends a write" + by, (ends, log) -> {
                Call write = Call.blocked(virtual, () -> StreamScenarios.write(ends.out(), LARGE, 0, TOO_MUCH));
                ends.tested().close();
                log.accept(write.outcome());
            });
            all.put("the close of the peer ends a write" + by, (ends, log) -> {
                Call write = Call.blocked(virtual, () -> StreamScenarios.write(ends.out(), LARGE, 0, TOO_MUCH));
                ends.peer().close();
                // The kernel reports a reset or a broken pipe, as it happens.
                log.accept(write.outcome().replaceAll("Connection reset( by peer)?", "Broken pipe"));
            });
            all.put("a large write after the close of the peer" + by, (ends, log) -> {
                ends.peer().close();
                Call write = Call.blocked(virtual, () -> StreamScenarios.write(ends.out(), LARGE, 0, TOO_MUCH));
                log.accept(write.outcome().replaceAll("Connection reset( by peer)?", "Broken pipe"));
            });
            all.put("an interrupt during a read" + by, (ends, log) -> {
                Call read = Call.blocked(virtual, ends.in()::read).interrupt();
                log.accept(read.isBlocked(virtual));
                ends.peer().getOutputStream().write(1);
                log.accept(read.outcome());
                log.accept("" + ends.tested().isClosed());
            });
            all.put("an interrupt during a timed read" + by, (ends, log) -> {
                // A platform thread waits for the whole timeout; the interrupt of a virtual one comes before its end.
                int timeout = virtual ? 10_000 : 300;
                ends.tested().setSoTimeout(timeout);
                Call read = Call.blocked(virtual, ends.in()::read);
                while (!read.interruptBeforeReturn() && !virtual) {
                    timeout *= 4;
                    ends.tested().setSoTimeout(timeout);
                    read = Call.blocked(virtual, ends.in()::read);
                }
                log.accept(read.outcome());
            });
            all.put("an interrupt before a read of what is there" + by, (ends, log) -> {
                ends.peer().getOutputStream().write(new byte[] {1, 2});
                StreamScenarios.awaitAvailable(ends.tested(), 2);
                Call read = Call.blocked(virtual, () -> {
                    Thread.currentThread().interrupt();
                    return ends.in().read();
                });
                log.accept(read.outcome());
                log.accept(Call.outcome(ends.in()::read));
            });
            all.put("an interrupt before a write" + by, (ends, log) -> {
                Call write = Call.blocked(virtual, () -> {
                    Thread.currentThread().interrupt();
                    return StreamScenarios.write(ends.out(), new byte[3], 0, 3);
                });
                log.accept(write.outcome());
                log.accept("" + ends.peer().getInputStream().read());
            });
            all.put("an interrupt during a write" + by, (ends, log) -> {
                Call write = Call.blocked(virtual, () -> StreamScenarios.write(ends.out(), LARGE, 0, TOO_MUCH))
                        .interrupt();
                log.accept(write.isBlocked(virtual));
                log.accept("" + ends.tested().isClosed());
                if (!virtual) {
                    ends.peer().getInputStream().readNBytes(TOO_MUCH);
                }
                log.accept(write.outcome());
            });
            all.put("the input is shut while a read waits" + by, (ends, log) -> {
                Call read = Call.blocked(virtual, ends.in()::read);
                ends.tested().shutdownInput();
                log.accept(read.outcome());
            });
            all.put("a read and a write wait at once" + by, (ends, log) -> {
                Call read = Call.blocked(virtual, ends.in()::read);
                Call write = Call.blocked(virtual, () -> StreamScenarios.write(ends.out(), LARGE, 0, TOO_MUCH));
                ends.peer().getOutputStream().write(1);
                log.accept(read.outcome());
                ends.peer().getInputStream().readNBytes(TOO_MUCH);
                log.accept(write.outcome());
            });
            all.put("two reads wait in turn" + by, (ends, log) -> {
                // The second thread may run earlier than the first one, and would have the first turn.
                Call first = Call.blocked(virtual, ends.in()::read).reaches(IN_TURN);
                Call second = Call.blocked(virtual, ends.in()::read);
                ends.peer().getOutputStream().write(1);
                log.accept(first.outcome());
                log.accept(second.isBlocked(false));
                ends.tested().close();
                log.accept(second.outcome());
            });
        }
        all.put("two timed reads time out together", (ends, log) -> {
            // Long, so that a thread that has no processor for two seconds is not taken for one that waits its turn.
            int millis = 3000;
            ends.tested().setSoTimeout(millis);
            long start = System.nanoTime();
            Call first = Call.blocked(false, ends.in()::read);
            Call second = Call.blocked(false, ends.in()::read);
            log.accept(first.outcome() + ", " + second.outcome());
            boolean together = System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(2 * millis - 100);
            // In the JDK's own sockets of 21 the second one waits for the first one to end.
            boolean isOlder = Runtime.version().feature() < 25
                    && System.getProperty("java.nio.channels.spi.SelectorProvider") == null;
            log.accept("" + (together || isOlder));
        });
        all.put("a close with linger 0 resets", (ends, log) -> {
            ends.tested().setSoLinger(true, 0);
            ends.tested().close();
            log.accept(Call.outcome(() -> ends.peer().getInputStream().read()));
        });
        all.put("a close with linger 0 resets while a read waits", (ends, log) -> {
            Call read = Call.blocked(false, ends.in()::read);
            ends.tested().setSoLinger(true, 0);
            ends.tested().close();
            log.accept(read.outcome());
            log.accept(Call.outcome(() -> ends.peer().getInputStream().read()));
        });
        all.put("the peer resets", (ends, log) -> {
            ends.peer().setSoLinger(true, 0);
            ends.peer().close();
            log.accept(Call.outcome(ends.in()::read));
            log.accept(Call.outcome(ends.in()::read));
            log.accept(Call.outcome(ends.in()::available));
            log.accept(Call.outcome(() -> StreamScenarios.write(ends.out(), new byte[1], 0, 1)));
            log.accept("" + ends.tested().isClosed() + ends.tested().isConnected());
        });
        all.put("the peer resets, and a write finds it", (ends, log) -> {
            ends.peer().setSoLinger(true, 0);
            ends.peer().close();
            Thread.sleep(20);
            log.accept(Call.outcome(() -> StreamScenarios.write(ends.out(), new byte[1], 0, 1)));
            log.accept(Call.outcome(() -> StreamScenarios.write(ends.out(), new byte[1], 0, 1)));
            log.accept(Call.outcome(ends.in()::read));
        });
        all.put("the peer resets while a read waits", (ends, log) -> {
            Call read = Call.blocked(false, ends.in()::read);
            ends.peer().setSoLinger(true, 0);
            ends.peer().close();
            log.accept(read.outcome());
        });
        return all;
    }
}
