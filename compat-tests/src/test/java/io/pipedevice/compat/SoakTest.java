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
 * about the time. No client may see a connection break, but that of the broker that is killed; and when all are gone the
 * servers have no more than before.
 */
@EnabledIfSystemProperty(named = "soak.minutes", matches = "[1-9][0-9]*")
@Timeout(value = 4, unit = TimeUnit.HOURS)
final class SoakTest {
    private static final int KAFKA_RECORDS_PER_S = 300;
    private static final int MAX_STOP_MS = 3000;

    /** Kafka reckons its timeouts by the clock of the wall: what it begins while that is ahead ends so much later. */
    private static final int MAX_STEP_S = 20;

    private static final long QUIET_LIMIT_S = 60;
    private static final int FEW = 12;
    private static final int MORE_MB = 100;

    @RegisterExtension
    private final Stage stage = new Stage();

    private final long seed = Long.getLong("soak.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Disturbance disturbance = new Disturbance(stage);
    private final List<JavaCommand> commands = new ArrayList<>();
    private final List<Program> clients = new ArrayList<>();
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
                        "file=" + TestFile.make(directory).path()));
        Program jetty = stage.start(true, JavaCommand.program("JettyServer", JETTY, keystore));
        List<Program> servers = List.of(netty, jetty);
        commands.add(client("NettyRounds", NETTY, "echo=" + netty.ready().get("echo")));
        commands.add(client(
                "JettyRounds", JETTY, "uri=http://127.0.0.1:" + jetty.ready().get("http")));
        commands.add(commands.getFirst());
        startClients();
        stopClients();
        List<ProcessUse> before = uses(servers);

        KafkaCluster kafka = new KafkaCluster(stage, true, directory, 1).start();
        Program records = stage.start(
                true,
                JavaCommand.program(
                        "KafkaSteady",
                        KAFKA,
                        kafka.arguments("name=soak", "rate=" + KAFKA_RECORDS_PER_S, Sizes.limit())));
        records.ready();
        startClients();
        disturb(servers, kafka, records);
        stopClients();
        records.say("stop");
        records.done();
        records.end();
        List<ProcessUse> after = uses(servers);
        for (int i = 0; i < servers.size(); i++) {
            checkUse(servers.get(i), before.get(i), after.get(i));
        }
        say(told.toString());
        for (Program server : servers) {
            assertEquals(0, server.leave(), server::toString);
        }
        kafka.end();
    }

    private static JavaCommand client(String name, JavaCommand.Library library, String server) {
        return JavaCommand.program(name, library, server, Sizes.limit());
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
            client.end();
        }
        clients.clear();
    }

    private void disturb(List<Program> servers, KafkaCluster kafka, Program records)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.getLong("soak.minutes"));
        long nextSample = System.nanoTime();
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
                for (Program server : servers) {
                    say(server + ": " + ProcessUse.of(server.pid()));
                }
            }
        }
    }

    private void killClient() throws IOException, InterruptedException {
        tell("client killed");
        int index = random.nextInt(clients.size());
        clients.get(index).kill();
        Program next = stage.start(true, commands.get(index));
        clients.set(index, next);
        next.ready();
    }

    private void killBroker(KafkaCluster kafka) throws IOException, InterruptedException {
        tell("broker killed");
        kafka.kill(0);
        kafka.bringBack(0);
    }

    private void stepClock() throws IOException, InterruptedException {
        if (Boolean.getBoolean("soak.clock")) {
            tell("clock stepped");
            Disturbance.stepClock(random.nextInt(-MAX_STEP_S, MAX_STEP_S));
        }
    }

    private List<ProcessUse> uses(List<Program> servers) throws IOException, InterruptedException {
        List<ProcessUse> uses = new ArrayList<>();
        for (Program server : servers) {
            await().atMost(QUIET_LIMIT_S, TimeUnit.SECONDS)
                    .untilAsserted(() -> assertEquals(0, new Counters(server).open(), server::toString));
            Disturbance.collect(server);
            ProcessUse use = ProcessUse.of(server.pid());
            say(server + ", its clients gone: " + use);
            uses.add(use);
        }
        return uses;
    }

    private static void checkUse(Program server, ProcessUse before, ProcessUse after) {
        String change = server + " had " + before + ", and has " + after;
        assertTrue(after.descriptors() <= before.descriptors() + FEW, change);
        assertTrue(after.threads() <= before.threads() + FEW, change);
        assertTrue(after.rings() <= before.rings() + FEW, change);
        assertTrue(after.residentKb() <= 2 * before.residentKb() + MORE_MB * 1024, change);
    }

    private void tell(String what) {
        told.merge(what, 1, Integer::sum);
    }

    private static void say(String line) {
        System.out.println("soak: " + line);
    }
}
