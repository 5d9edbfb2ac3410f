// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.SpinMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Virtual threads on one carrier pass a message round: if a wait kept the carrier, no thread would ever publish.
 * Argument: the spin mode.
 */
final class OneCarrierProgram {
    private static final int THREADS = 5;
    private static final int ROUNDS = 500;

    private OneCarrierProgram() {}

    public static void main(String[] args) throws InterruptedException {
        SpinMode mode = SpinMode.valueOf(args[0]);
        PlayedSource[] sources = new PlayedSource[THREADS];
        for (int i = 0; i < THREADS; i++) {
            sources[i] = new PlayedSource();
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            PlayedSource mine = sources[i];
            PlayedSource next = sources[(i + 1) % THREADS];
            int direction = i % 2 == 0 ? PdEpoll.IN : PdEpoll.OUT;
            int nextDirection = (i + 1) % THREADS % 2 == 0 ? PdEpoll.IN : PdEpoll.OUT;
            PeerWait wait = new PeerWait(mine, direction, mode);
            threads.add(Thread.ofVirtual().start(() -> hand(wait, mine, direction, next, nextDirection)));
        }
        sources[0].publish(PdEpoll.IN);
        for (Thread thread : threads) {
            thread.join();
        }
        for (int i = 0; i < THREADS; i++) {
            if (sources[i].taken(i % 2 == 0 ? PdEpoll.IN : PdEpoll.OUT) < ROUNDS) {
                throw new AssertionError("thread " + i + " gave up");
            }
        }
    }

    private static void hand(PeerWait wait, PlayedSource mine, int direction, PlayedSource next, int nextDirection) {
        try {
            for (int i = 0; i < ROUNDS; i++) {
                if (!wait.await(Long.MAX_VALUE)) {
                    throw new AssertionError("no time is over");
                }
                mine.take(direction);
                next.publish(nextDirection);
            }
        } catch (PdException e) {
            throw new AssertionError(e);
        }
    }
}
