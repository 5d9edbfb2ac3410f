// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.JETTY;
import static io.pipedevice.compat.JavaCommand.Library.NETTY;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs Netty, Jetty and Kafka for many minutes, while processes are killed, stopped and made to collect garbage, memory
 * is short, and the clock is wrong. Connections may break only with a killed process, carry only correct data until
 * then, and survivors must work with the next process. Connections use the kernel only if they meet a server that is
 * starting. At the end the survivors use no more resources than before.
 */
@EnabledIfSystemProperty(named = "soak.minutes", matches = "[1-9][0-9]*")
@Timeout(value = 4, unit = TimeUnit.HOURS)
final class SoakTest {
    private static final int MAX_STOP_MS = 3000;

    /**
     * Kafka computes its timeouts from the wall clock: an operation that begins while the clock is ahead ends later by
     * the difference.
     */
    private static final int MAX_STEP_S = 20;

    /** The growth that is allowed in any resource that can be counted, while a process has no connection. */
    private static final int FEW = 12;

    /** The same while connections come and go. One that leaks is one of thousands. */
    private static final int SOME = 25;

    private static final String[] WHOLE_HEAP = {"-Xms256m", "-XX:+AlwaysPreTouch"};

    @RegisterExtension
    private final Stage stage = new Stage();

    private final long seed = Long.getLong("soak.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Disturbance disturbance = new Disturbance(stage);
    private final Map<Trouble, Integer> troubles = new EnumMap<>(Trouble.class);

    /** Pairs of Netty and of Jetty whose clients are killed, and pairs whose servers are. */
    private final List<SoakPair> lastingServers = new ArrayList<>();

    private final List<SoakPair> lastingClients = new ArrayList<>();
    private final List<SoakPair> pairs = new ArrayList<>();
    private SoakKafka kafka;

    /** The growth of the surviving servers, each time measured without a client. */
    private final Growth alone = new Growth(FEW);

    private final Growth busy = new Growth(SOME);

    @Test
    void nothingIsLostAndNothingLeaks(@TempDir Path directory) throws IOException, InterruptedException {
        say("seed " + seed);
        makePairs(directory);
        startServers();
        startClients();
        stopClients();
        lookAtServersAlone();
        kafka = new SoakKafka(stage, directory, WHOLE_HEAP);
        startClients();
        disturb();
        stopClients();
        kafka.stopClient();
        lookAtServersAlone();
        report();
        for (SoakPair pair : pairs) {
            pair.stopServer();
        }
        kafka.stopBroker();
    }

    private void makePairs(Path directory) throws IOException, InterruptedException {
        String keystore = Keystore.make(directory);
        String file = "file=" + TestFile.make(directory).path();
        List<Integer> ports = Ports.free(4);
        for (int i = 0; i < ports.size(); i += 2) {
            int netty = ports.get(i);
            int jetty = ports.get(i + 1);
            boolean serverLasts = i == 0;
            List<SoakPair> both = serverLasts ? lastingServers : lastingClients;
            both.add(new SoakPair(
                    stage,
                    serverLasts,
                    program("NettyServer", NETTY, keystore, file, "echo.port=" + netty),
                    program("NettyRounds", NETTY, "echo=" + netty, Sizes.limit())));
            both.add(new SoakPair(
                    stage,
                    serverLasts,
                    program("JettyServer", JETTY, keystore, "http.port=" + jetty),
                    program("JettyRounds", JETTY, "uri=http://127.0.0.1:" + jetty, Sizes.limit())));
            pairs.addAll(both);
        }
    }

    private static JavaCommand program(String name, JavaCommand.Library library, String... arguments) {
        return JavaCommand.program(name, library, arguments).with(WHOLE_HEAP);
    }

    private void startServers() throws IOException, InterruptedException {
        for (SoakPair pair : pairs) {
            pair.startServer();
        }
        for (SoakPair pair : pairs) {
            pair.awaitServer();
        }
    }

    private void startClients() throws IOException, InterruptedException {
        for (SoakPair pair : pairs) {
            pair.startClient();
        }
        for (SoakPair pair : pairs) {
            pair.awaitClient();
        }
    }

    private void stopClients() throws IOException, InterruptedException {
        for (SoakPair pair : pairs) {
            pair.stopClient();
        }
    }

    private void lookAtServersAlone() throws IOException, InterruptedException {
        alone.look("Netty's server, without clients", lastingServers.get(0).server());
        alone.look("Jetty's server, without clients", lastingServers.get(1).server());
    }

    private void disturb() throws IOException, InterruptedException {
        Set<Trouble> kinds = kinds();
        Deck deck = new Deck(kinds, random);
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.getLong("soak.minutes"));
        long nextLook = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (System.nanoTime() < end) {
            Trouble trouble = deck.draw();
            say(trouble.toString());
            make(trouble);
            troubles.merge(trouble, 1, Integer::sum);
            awaitProgress("after " + troubles);
            if (!busy.hasSeen(kafka.broker())) {
                lookAtBroker();
            }
            if (System.nanoTime() - nextLook >= 0) {
                nextLook += TimeUnit.MINUTES.toNanos(1);
                lookAtLasting();
            }
        }
        lookAtLasting();
        assertEquals(kinds, troubles.keySet(), "so short a soak has not seen everything");
    }

    private static Set<Trouble> kinds() throws IOException, InterruptedException {
        Set<Trouble> kinds = EnumSet.allOf(Trouble.class);
        String clock = System.getProperty("soak.clock");
        if (!clock.equals("true") && !(clock.equals("possible") && WallClock.maySet())) {
            kinds.remove(Trouble.CLOCK_STEPPED);
        }
        return kinds;
    }

    private void make(Trouble trouble) throws IOException, InterruptedException {
        switch (trouble) {
            case CLIENT_KILLED ->
                lastingServers.get(random.nextInt(lastingServers.size())).kill();
            case NETTY_KILLED -> lastingClients.get(0).kill();
            case JETTY_KILLED -> lastingClients.get(1).kill();
            case BROKER_KILLED -> {
                lookAtBroker();
                kafka.killBroker();
            }
            case STOPPED -> Disturbance.stop(anyProgram(), 1 + random.nextInt(MAX_STOP_MS));
            case COLLECTED -> Disturbance.collect(anyProgram());
            case MEMORY_TAKEN -> disturbance.takeMemory();
            case CLOCK_STEPPED -> {
                int seconds = 1 + random.nextInt(MAX_STEP_S);
                WallClock.step(random.nextBoolean() ? seconds : -seconds);
            }
        }
    }

    private Program anyProgram() {
        List<Program> all = new ArrayList<>(List.of(kafka.broker(), kafka.client()));
        pairs.forEach(pair -> all.addAll(List.of(pair.server(), pair.client())));
        return all.get(random.nextInt(all.size()));
    }

    private void awaitProgress(String what) throws IOException, InterruptedException {
        for (SoakPair pair : pairs) {
            pair.client().progress(what);
        }
        kafka.client().progress(what);
    }

    private void lookAtLasting() throws IOException, InterruptedException {
        Map<String, Program> lasting = new LinkedHashMap<>();
        lasting.put("Netty's server", lastingServers.get(0).server());
        lasting.put("Jetty's server", lastingServers.get(1).server());
        lasting.put("Netty's client", lastingClients.get(0).client());
        lasting.put("Jetty's client", lastingClients.get(1).client());
        lasting.put("Kafka's client", kafka.client());
        for (Map.Entry<String, Program> one : lasting.entrySet()) {
            busy.look(one.getKey(), one.getValue());
        }
        lookAtBroker();
        report();
    }

    private void lookAtBroker() throws IOException, InterruptedException {
        busy.look("Kafka's broker, the one that lived longest", kafka.broker());
    }

    private void report() {
        say(troubles.toString());
        System.out.println(Growth.header());
        alone.rows().forEach(System.out::println);
        busy.rows().forEach(System.out::println);
    }

    private static void say(String line) {
        System.out.println("soak: " + line);
    }
}
