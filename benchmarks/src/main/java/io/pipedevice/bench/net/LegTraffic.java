// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.WorkerProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** The traffic between the server and the clients of a leg, for one row after the other. Used by one thread. */
final class LegTraffic {
    private static final int ACCEPT_POLLS = 1000;
    private static final long ACCEPT_POLL_MILLIS = 10;

    private final NetLeg leg;

    /** A server that takes part in the driver's work, as on most hosts with one, beside one that does not; or null. */
    private final WorkerProcess bystander;

    private final Acceleration serverStat = new Acceleration();
    private final Acceleration clientStat = new Acceleration();
    private long moved;

    /**
     * @param leg whose server and first client run
     * @param bystander a further server that listens too; null if there is none
     */
    LegTraffic(NetLeg leg, WorkerProcess bystander) {
        this.leg = leg;
        this.bystander = bystander;
    }

    /** Makes the server listen, and returns its address. */
    String serve(Row row) throws IOException, InterruptedException {
        if (bystander != null) {
            bystander.ask("serve " + what(row), "listening");
        }
        String address = leg.server().ask("serve " + what(row), "listening")[1];
        return row.isToManyAddresses() ? leg.site().hosts() + address.substring(address.indexOf(':')) : address;
    }

    private static String what(Row row) {
        return row.kind() + " " + row.size();
    }

    /**
     * Opens connections between the server and each client: one client, unless more were added. The traffic begins when
     * all connections are open, because earlier traffic would delay the opening of the others.
     */
    void open(Row row, int connections, int busy) throws IOException, InterruptedException {
        String connect = "connect " + what(row) + " " + serve(row) + " " + connections + " " + busy;
        for (WorkerProcess one : leg.clients()) {
            one.ask(connect, "connected");
        }
        beginAll();
    }

    /** Opens the connections of a row of several streams, each client the same number; the first tells the server. */
    void openPairs(Row row) throws IOException, InterruptedException {
        String connect = "connect " + what(row) + " " + serve(row) + " " + row.pairs() / row.clients() + " ";
        int busy = row.pairs();
        for (WorkerProcess one : leg.clients()) {
            one.ask(connect + busy, "connected");
            busy = 0;
        }
        awaitAccepted(row.pairs());
        beginAll();
    }

    /** The server has a share for each connection that it has accepted. */
    private void awaitAccepted(int connections) throws IOException, InterruptedException {
        int accepted = shares().bytes().length;
        for (int i = 0; accepted < connections; i++) {
            if (i == ACCEPT_POLLS) {
                throw new IOException("only " + accepted + " of " + connections + " connections were accepted");
            }
            TimeUnit.MILLISECONDS.sleep(ACCEPT_POLL_MILLIS);
            accepted = shares().bytes().length;
        }
    }

    /** The bytes of each connection of several streams so far. */
    Shares shares() throws IOException, InterruptedException {
        String[] answer = leg.server().ask("shares", "shares");
        return new Shares(
                Long.parseLong(answer[1]),
                Arrays.stream(answer).skip(2).mapToLong(Long::parseLong).toArray());
    }

    private void beginAll() throws IOException, InterruptedException {
        for (WorkerProcess one : leg.clients()) {
            one.send("begin");
        }
        for (WorkerProcess one : leg.clients()) {
            one.await("begun");
        }
    }

    /** Opens more connections, in steps that are short enough that the process does not seem to be stuck. */
    void grow(int connections) throws IOException, InterruptedException {
        for (int left = connections; left > 0; left -= 500) {
            leg.client().ask("grow " + Math.min(500, left), "grown");
        }
    }

    /**
     * Ends the connections, and checks their transport and that no data were lost.
     *
     * @return the latencies that were measured
     */
    Latencies finish(Row row) throws IOException, InterruptedException {
        clientStat.check(leg.client().pid(), leg.accelerates());
        checkServer();
        Latencies latencies = null;
        long sent = 0;
        for (WorkerProcess one : leg.clients()) {
            one.send("stop");
        }
        for (WorkerProcess one : leg.clients()) {
            String[] done = one.await("done");
            sent += Long.parseLong(done[1]);
            Latencies its = new Latencies(decode(done[2]), decode(done[3]));
            if (latencies == null) {
                latencies = its;
            } else {
                latencies.all().add(its.all());
                latencies.connects().add(its.connects());
            }
        }
        String[] arrived = leg.server().await("done");
        if ((row.isStream() || row.isPairs()) && sent != Long.parseLong(arrived[1])) {
            throw new IOException("sent " + sent + " bytes, but " + arrived[1] + " arrived");
        }
        moved += row.isStream() || row.isPairs() ? Long.parseLong(arrived[1]) : 0;
        return latencies;
    }

    /** The bytes that have arrived on streams so far. */
    long moved() {
        return moved;
    }

    /** Checks the transport of the server's connections since the last check. */
    void checkServer() throws IOException {
        serverStat.check(leg.server().pid(), leg.accelerates());
        leg.site().check();
    }

    /**
     * The latencies of the clients of a row.
     *
     * @param all of round trips, or of connections from their beginning to their end
     * @param connects of the calls that connect; empty in rows of other things
     */
    record Latencies(Histogram all, Histogram connects) {}

    private static Histogram decode(String histogram) throws IOException {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(histogram)), 0);
        } catch (DataFormatException e) {
            throw new IOException("the client's histogram cannot be read", e);
        }
    }
}
