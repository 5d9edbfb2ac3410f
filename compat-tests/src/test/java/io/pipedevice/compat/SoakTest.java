// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.JETTY;
import static io.pipedevice.compat.JavaCommand.Library.KAFKA;
import static io.pipedevice.compat.JavaCommand.Library.NETTY;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Netty, Jetty and Kafka for many minutes, while processes are killed, stopped, made to collect, short of memory and wrong
 * about the time. No client may see a connection break, but that of the broker that is killed. Nothing goes through the
 * kernel, but what finds the broker half started. In the end the servers, whose clients are gone, and the clients that are
 * never killed have no more than before.
 */
@EnabledIfSystemProperty(named = "soak.minutes", matches = "[1-9][0-9]*")
@Timeout(value = 4, unit = TimeUnit.HOURS)
final class SoakTest {
    private static final int KAFKA_RECORDS_PER_S = 300;
    private static final int MAX_STOP_MS = 3000;

    /** Kafka reckons its timeouts by the clock of the wall: what it begins while that is ahead ends so much later. */
    private static final int MAX_STEP_S = 20;

    private static final long QUIET_LIMIT_S = 60;

    /** The first clients, one of each kind, are never killed: what leaks of each connection adds up in them. */
    private static final int LASTING_CLIENTS = 2;

    /** How much more a process may have than before of anything that can be counted, when it has no connection. */
    private static final int FEW = 12;

    /** The same while connections come and go. One that leaks is one of thousands. */
    private static final int SOME = 25;

    /** What the JVM itself may take besides the heap, which is there from the beginning: code, pools of buffers. */
    private static final int MORE_MB = 64;

    private static final String[] WHOLE_HEAP = {"-Xms256m", "-XX:+AlwaysPreTouch"};

    /** Of a broker that was just started: its port is there a moment before clients with PipeDevice find its rings. */
    private static final String[] HALF_STARTED = {Counters.NO_RENDEZVOUS, Counters.NOT_PIPEDEVICE_PEER};

    @RegisterExtension
    private final Stage stage = new Stage();

    private final long seed = Long.getLong("soak.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Disturbance disturbance = new Disturbance(stage);
    private final List<JavaCommand> commands = new ArrayList<>();
    private final List<Program> clients = new ArrayList<>();

    /** What those that are never killed had a minute after the beginning; none in a soak of one minute. */
    private final Map<Program, ProcessUse> early = new HashMap<>();

    private final Map<String, Integer> told = new LinkedHashMap<>();

    @Test
    void nothingIsLostAndNothingLeaks(@TempDir Path directory) throws IOException, InterruptedException {
        say("seed " + seed);
        String keystore = Keystore.make(directory);
        Program netty = stage.start(
                true,
                JavaCommand.program(
                                "NettyServer",
                                NETTY,
                                keystore,
                                "file=" + TestFile.make(directory).path())
                        .with(WHOLE_HEAP));
        Program jetty = stage.start(
                true, JavaCommand.program("JettyServer", JETTY, keystore).with(WHOLE_HEAP));
        List<Program> servers = List.of(netty, jetty);
        commands.add(client("NettyRounds", NETTY, "echo=" + netty.ready().get("echo")));
        commands.add(client(
                "JettyRounds", JETTY, "uri=http://127.0.0.1:" + jetty.ready().get("http")));
        commands.addAll(List.copyOf(commands));
        startClients();
        stopClients();
        List<ProcessUse> before = uses(servers);

        KafkaCluster kafka = new KafkaCluster(stage, true, directory, 1).start();
        Program records = stage.start(
                true,
                JavaCommand.program(
                                "KafkaSteady",
                                KAFKA,
                                kafka.arguments("name=soak", "rate=" + KAFKA_RECORDS_PER_S, Sizes.limit()))
                        .with(WHOLE_HEAP));
        records.ready();
        startClients();
        disturb(servers, kafka, records);
        stopClients();
        records.say("stop");
        records.done();
        new Counters(records).acceleratedOr(HALF_STARTED);
        awaitNoneOpen(records);
        records.end();
        checkBrokers(kafka);
        List<ProcessUse> after = uses(servers);
        for (int i = 0; i < servers.size(); i++) {
            checkUse(servers.get(i), before.get(i), after.get(i), FEW);
        }
        say(told.toString());
        for (Program server : servers) {
            new Counters(server).acceleratedOr();
            // What it has to say of clients that were killed does not matter.
            assertEquals(0, server.leave(), server::toString);
        }
        kafka.end();
    }

    private static JavaCommand client(String name, JavaCommand.Library library, String server) {
        return JavaCommand.program(name, library, server, Sizes.limit()).with(WHOLE_HEAP);
    }

    private void startClients() throws IOException, InterruptedException {
        for (JavaCommand command : commands) {
            clients.add(stage.start(true, command));
        }
        for (Program client : clients) {
            client.ready();
            client.progress("begun");
        }
    }

    private void stopClients() throws IOException, InterruptedException {
        for (Program client : clients) {
            client.say("stop");
            client.done();
            new Counters(client).allAccelerated(0, 0);
            awaitNoneOpen(client);
            client.end();
        }
        clients.clear();
    }

    private static void awaitNoneOpen(Program program) {
        await().atMost(QUIET_LIMIT_S, TimeUnit.SECONDS)
                .untilAsserted(() -> assertEquals(0, new Counters(program).open(), program::toString));
    }

    private void disturb(List<Program> servers, KafkaCluster kafka, Program records)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.getLong("soak.minutes"));
        long nextSample = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        List<Program> lasting = new ArrayList<>(servers);
        lasting.addAll(clients.subList(0, LASTING_CLIENTS));
        lasting.add(records);
        while (System.nanoTime() < end) {
            List<Program> all = new ArrayList<>(servers);
            all.addAll(clients);
            all.add(records);
            all.addAll(kafka.brokers());
            Program one = all.get(random.nextInt(all.size()));
            switch (random.nextInt(16)) {
                case 0, 1, 2, 3 -> killClient();
                case 4 -> killBroker(kafka);
                case 5, 6, 7, 8, 9 -> {
                    tell("stopped");
                    Disturbance.stop(one, 1 + random.nextInt(MAX_STOP_MS));
                }
                case 10, 11, 12 -> {
                    tell("collected");
                    Disturbance.collect(one);
                }
                case 13 -> {
                    tell("memory taken");
                    disturbance.takeMemory();
                }
                case 14 -> stepClock();
                default -> TimeUnit.MILLISECONDS.sleep(MAX_STOP_MS);
            }
            for (Program client : clients) {
                client.progress("after " + told);
            }
            records.progress("after " + told);
            if (System.nanoTime() - nextSample >= 0) {
                nextSample += TimeUnit.MINUTES.toNanos(1);
                checkLasting(lasting);
            }
        }
        checkLasting(lasting);
    }

    /** Against what they had at the first time. */
    private void checkLasting(List<Program> lasting) throws IOException {
        for (Program program : lasting) {
            ProcessUse use = ProcessUse.of(program.pid());
            say(program + ": " + use);
            checkUse(program, early.computeIfAbsent(program, key -> use), use, SOME);
        }
    }

    private void killClient() throws IOException, InterruptedException {
        tell("client killed");
        int index = random.nextInt(LASTING_CLIENTS, clients.size());
        new Counters(clients.get(index)).acceleratedOr();
        clients.get(index).kill();
        Program next = stage.start(true, commands.get(index));
        clients.set(index, next);
        next.ready();
    }

    private void killBroker(KafkaCluster kafka) throws IOException, InterruptedException {
        tell("broker killed");
        checkBrokers(kafka);
        kafka.kill(0);
        kafka.bringBack(0);
    }

    private static void checkBrokers(KafkaCluster kafka) throws IOException {
        for (Program broker : kafka.brokers()) {
            new Counters(broker).acceleratedOr(HALF_STARTED);
        }
    }

    private void stepClock() throws IOException, InterruptedException {
        if (Boolean.getBoolean("soak.clock")) {
            tell("clock stepped");
            WallClock.step(random.nextInt(-MAX_STEP_S, MAX_STEP_S));
        }
    }

    private List<ProcessUse> uses(List<Program> servers) throws IOException, InterruptedException {
        List<ProcessUse> uses = new ArrayList<>();
        for (Program server : servers) {
            awaitNoneOpen(server);
            Disturbance.collect(server);
            ProcessUse use = ProcessUse.of(server.pid());
            say(server + ", its clients gone: " + use);
            uses.add(use);
        }
        return uses;
    }

    private static void checkUse(Program program, ProcessUse before, ProcessUse after, int more) {
        String change = program + " had " + before + ", and has " + after;
        assertTrue(after.descriptors() <= before.descriptors() + more, change);
        assertTrue(after.threads() <= before.threads() + more, change);
        assertTrue(after.rings() <= before.rings() + more, change);
        assertTrue(after.residentKb() <= before.residentKb() + MORE_MB * 1024, change);
    }

    private void tell(String what) {
        told.merge(what, 1, Integer::sum);
    }

    private static void say(String line) {
        System.out.println("soak: " + line);
    }
}
