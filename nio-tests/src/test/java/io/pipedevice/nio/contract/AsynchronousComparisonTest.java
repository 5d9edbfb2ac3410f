// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Plays random operations of asynchronous channels, those after timeouts, cancellations, shutdowns and closes too, on
 * the JDK's and on PipeDevice's, and compares the outcomes.
 */
@Timeout(300)
class AsynchronousComparisonTest {
    private static final int GAMES = 150;
    private static final int STEPS = 25;

    @ParameterizedTest
    @EnumSource(
            value = Pairing.class,
            names = {"PIPEDEVICE", "PIPEDEVICE_DRIVER", "PIPEDEVICE_CLIENT_ONLY", "PIPEDEVICE_SERVER_ONLY"})
    void outcomesAreTheJdks(Pairing pairing) throws Exception {
        Long fixed = Long.getLong("pipedevice.test.seed");
        long first = fixed == null ? System.nanoTime() : fixed;
        for (long seed = first; seed < first + (fixed == null ? GAMES : 1); seed++) {
            assertEquals(
                    String.join("\n", play(Pairing.JDK_JDK, seed)),
                    String.join("\n", play(pairing, seed)),
                    "-Dpipedevice.test.seed=" + seed);
        }
    }

    private static List<String> play(Pairing pairing, long seed) throws Exception {
        AsynchronousChannelProvider servers = AsynchronousProviders.of(pairing.server());
        try (AsynchronousServerSocketChannel listener =
                        servers.openAsynchronousServerSocketChannel(null).bind(Contract.loopback(0));
                AsynchronousSocketChannel client =
                        AsynchronousProviders.of(pairing.client()).openAsynchronousSocketChannel(null)) {
            Future<AsynchronousSocketChannel> accepting = listener.accept();
            client.connect(listener.getLocalAddress()).get(20, TimeUnit.SECONDS);
            try (AsynchronousSocketChannel server = accepting.get(20, TimeUnit.SECONDS)) {
                AsynchronousEnd[] ends = {new AsynchronousEnd(client), new AsynchronousEnd(server)};
                ends[0].meet(ends[1]);
                ends[1].meet(ends[0]);
                return play(pairing, ends, seed);
            }
        }
    }

    private static List<String> play(Pairing pairing, AsynchronousEnd[] ends, long seed) {
        Random random = new Random(seed);
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            int which = random.nextInt(2);
            try {
                seen.add(i + " end " + which + " " + step(ends[which], random) + ", " + ends[0].finishRead() + ", "
                        + ends[1].finishRead());
            } catch (AssertionError e) {
                throw new AssertionError(
                        "-Dpipedevice.test.seed=" + seed + " on " + pairing + " after\n" + String.join("\n", seen), e);
            }
        }
        return seen;
    }

    /** One operation, if its outcome does not depend on the time that bytes take. */
    private static String step(AsynchronousEnd end, Random random) {
        int choice = random.nextInt(100);
        int size = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(1 << random.nextInt(14));
        boolean coin = random.nextBoolean();
        if (choice < 35) {
            return "read " + size + " " + coin + ": " + end.read(size, coin, false);
        } else if (choice < 70) {
            int buffers = 1 + random.nextInt(3);
            return "write " + size + " " + buffers + ": " + (end.mayWrite() ? end.write(size, buffers) : "-");
        } else if (choice < 74) {
            return "timed read: " + end.read(1, true, true);
        } else if (choice < 82) {
            return "cancel " + coin + ": " + (!coin || end.mayClose() ? end.cancel(coin) : "-");
        } else if (choice < 86) {
            return "shutdownInput: " + end.shutdownInput();
        } else if (choice < 90) {
            return "shutdownOutput: " + end.shutdownOutput();
        } else if (choice < 94) {
            return "close: " + (end.mayClose() ? end.close() : "-");
        }
        return "state: " + end.state();
    }
}
