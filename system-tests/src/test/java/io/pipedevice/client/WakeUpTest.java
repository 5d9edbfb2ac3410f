// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.LibPageDescriptor;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No wake-up is lost when every wait sleeps at once: each round is a race between arming and an event. */
@Timeout(60)
class WakeUpTest {
    private static final int ROUNDS = 10_000;

    private Attached attached;

    @BeforeEach
    void attachWithoutSpinning() throws IOException {
        attached = new Attached(new DriverContext().spinNs(0), new PdOptions().spinMicros(0));
    }

    @AfterEach
    void detach() {
        attached.close();
    }

    private static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    /** Varies the timing of the race. */
    private static void pause() {
        int spins = ThreadLocalRandom.current().nextInt(200);
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
    }

    /** The order on which the protocol relies: an event right after the last check finds the thread armed. */
    @Test
    void sleeperLooksAfterItHasArmed() throws Exception {
        try (Attached.Pair pair = attached.pair(4096)) {
            // By then the driver's events of the accept are posted and received, so nothing else wakes the sleeping
            // thread.
            Thread.sleep(100);
            assertEquals(0, pair.server.recv(1, new PdBuffer(), TimeUnit.MILLISECONDS.toNanos(20)));
            SocketCore core = ((DriverSocket) pair.server).core();
            long word = LibPageDescriptor.slot(core.session.pages().requestDepth, core.sid)
                    + LibPageDescriptor.READ_ARM_OFFSET;
            AtomicInteger looks = new AtomicInteger();
            DriverWait sleeper =
                    new DriverWait(core.session, core.slot, core, LibPageDescriptor.READ_ARM_OFFSET, ArmWord.IN) {
                        @Override
                        protected boolean hasReadiness() {
                            if (looks.incrementAndGet() == 2) {
                                // The spin made the first check. From now on an event finds the armed word.
                                if (core.session.pages().lib.memory().get(ValueLayout.JAVA_LONG, word) != 0) {
                                    wake();
                                }
                                return false;
                            }
                            return looks.get() > 2;
                        }
                    };
            FutureTask<Boolean> awake = start(() -> sleeper.await(PipeDevice.FOREVER));
            assertTrue(awake.get(50, TimeUnit.SECONDS), "there was an event");
        }
    }

    @Test
    void receivers() throws Exception {
        try (Attached.Pair pair = attached.pair(4096)) {
            FutureTask<Integer> other = start(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    Bytes.send(pair.server, Bytes.receive(pair.server, 1));
                    pause();
                }
                return 0;
            });
            for (int i = 0; i < ROUNDS; i++) {
                Bytes.send(pair.client, new byte[] {(byte) i});
                pause();
                assertEquals((byte) i, Bytes.receive(pair.client, 1)[0]);
            }
            assertEquals(0, other.get(50, TimeUnit.SECONDS));
        }
    }

    @Test
    void sendersThatWaitForRoom() throws Exception {
        try (Attached.Pair pair = attached.pair(4096)) {
            FutureTask<Integer> other = start(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    assertEquals(1500, Bytes.receive(pair.server, 1500).length);
                    pause();
                }
                return 0;
            });
            for (int i = 0; i < ROUNDS; i++) {
                Bytes.send(pair.client, new byte[1500]);
                pause();
            }
            assertEquals(0, other.get(50, TimeUnit.SECONDS));
        }
    }

    @Test
    void epollInstances() throws Exception {
        for (int trigger : new int[] {0, PdEpoll.ET}) {
            try (Attached.Pair pair = attached.pair(4096);
                    PdEpoll epoll = attached.server.epoll()) {
                epoll.add(pair.server, PdEpoll.IN | trigger, null);
                FutureTask<Integer> other = start(() -> {
                    PdEvents events = new PdEvents(1);
                    for (int i = 0; i < ROUNDS / 2; i++) {
                        assertEquals(1, epoll.await(events, Attached.PATIENCE_NS), "round " + i);
                        Bytes.send(pair.server, Bytes.receive(pair.server, 1));
                        pause();
                    }
                    return 0;
                });
                for (int i = 0; i < ROUNDS / 2; i++) {
                    Bytes.send(pair.client, new byte[] {(byte) i});
                    pause();
                    assertEquals((byte) i, Bytes.receive(pair.client, 1)[0]);
                }
                assertEquals(0, other.get(50, TimeUnit.SECONDS));
            }
        }
    }

    @Test
    void acceptors() throws Exception {
        try (PdSocket listener = attached.listen(4)) {
            FutureTask<Integer> other = start(() -> {
                for (int i = 0; i < 500; i++) {
                    PdSocket accepted = listener.accept(Attached.PATIENCE_NS);
                    assertNotNull(accepted, "round " + i);
                    accepted.close();
                    pause();
                }
                return 0;
            });
            for (int i = 0; i < 500; i++) {
                try (PdSocket client = attached.client.socket()) {
                    client.connect(listener.localAddress());
                    assertTrue(Bytes.receiveEnd(client) <= 0);
                }
            }
            assertEquals(0, other.get(50, TimeUnit.SECONDS));
        }
    }
}
