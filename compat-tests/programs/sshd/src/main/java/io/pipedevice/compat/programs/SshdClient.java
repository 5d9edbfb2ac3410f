// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.EnumSet;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.core.CoreModuleProperties;

/**
 * Sends bytes to a command of the server at a {@code port} and receives them again, about the {@code size} that it is
 * given; with {@code measure} it only measures.
 */
final class SshdClient {
    private static final int TRIPS = 1000;
    private static final int LARGEST = 1 << 20;
    private static final int SESSIONS = 20;
    private static final int MEASURED_LENGTH = 1000;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Less than the window that a channel has from its start, so that the other end takes a whole piece. */
    private static final int PIECE = 64 << 10;

    private final SshClient client;
    private final int port;
    private final long size;
    private final Checks checks;

    private SshdClient(SshClient client, Arguments arguments, Checks checks) {
        this.client = client;
        port = Integer.parseInt(arguments.text("port"));
        size = arguments.size("size");
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        SshClient ssh = SshClient.setUpDefaultClient();
        ssh.setServerKeyVerifier((session, address, key) -> true);
        CoreModuleProperties.TCP_NODELAY.set(ssh, true);
        ssh.start();
        SshdClient client = new SshdClient(ssh, arguments, checks);
        if (arguments.has("measure")) {
            checks.run("measure", client::measure);
        } else {
            checks.run("pieces of all sizes", client::sizes);
            checks.run("large streams", client::large);
            checks.run("many sessions", client::sessions);
        }
        checks.end(ssh::stop);
    }

    /** A session, and its only command. */
    private final class Trip implements AutoCloseable {
        private final ClientSession session;
        private final ChannelExec command;
        private final OutputStream out;
        private final InputStream in;

        Trip() throws IOException {
            session = client.connect("user", "127.0.0.1", port).verify(PATIENCE).getSession();
            session.addPasswordIdentity("any");
            session.auth().verify(PATIENCE);
            command = session.createExecChannel("echo");
            command.open().verify(PATIENCE);
            out = command.getInvertedIn();
            in = command.getInvertedOut();
        }

        void make(long seed, int length) throws IOException {
            byte[] sent = Noise.bytes(seed, length);
            byte[] received = new byte[length];
            for (int i = 0; i < length; i += PIECE) {
                int piece = Math.min(PIECE, length - i);
                out.write(sent, i, piece);
                out.flush();
                in.readNBytes(received, i, piece);
            }
            checks.cameBack(sent, received);
        }

        @Override
        public void close() throws IOException {
            // One after the other: the server logs what it cannot send to a session that is closing.
            out.close();
            command.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), PATIENCE);
            session.close(false).await(PATIENCE);
        }
    }

    private void sizes() throws IOException {
        try (Trip trip = new Trip()) {
            for (int i = 1; i < TRIPS; i++) {
                trip.make(i, i * i / 10);
            }
        }
    }

    private void large() throws IOException {
        try (Trip trip = new Trip()) {
            for (int i = 0; i < size / LARGEST; i++) {
                trip.make(i, LARGEST - i);
            }
        }
    }

    private void sessions() throws IOException {
        Trip[] trips = new Trip[SESSIONS];
        for (int i = 0; i < SESSIONS; i++) {
            trips[i] = new Trip();
        }
        for (Trip each : trips) {
            each.make(1, MEASURED_LENGTH);
        }
        for (Trip each : trips) {
            each.close();
        }
    }

    private void measure() throws Exception {
        try (Trip trip = new Trip()) {
            Figures.warmUp(() -> trip.make(Noise.REPEATED, MEASURED_LENGTH));
            Figures figures = new Figures();
            figures.printOperations(figures.repeatOften(() -> trip.make(Noise.REPEATED, MEASURED_LENGTH)));
            figures.printDelay();
        }
    }
}
