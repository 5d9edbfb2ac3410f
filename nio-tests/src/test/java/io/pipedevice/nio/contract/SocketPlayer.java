// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** An end whose connections are sockets of java.net. */
final class SocketPlayer extends LocalPlayer {
    private static final int LONG_MILLIS = 600_000;

    private final NetSockets sockets;
    private final SocketStreams[] lines = new SocketStreams[Step.LINES];
    private ServerSocket listener;

    SocketPlayer(Pairing pairing, boolean client) {
        super(pairing, client);
        this.sockets = client ? pairing.clientSockets() : pairing.serverSockets();
    }

    @Override
    void leaveLine(int line) throws IOException {
        if (lines[line] != null) {
            lines[line].socket().close();
        }
    }

    @Override
    Outcome perform(Act act) throws IOException {
        SocketStreams line = lines[act.line()];
        int stream = act.line() * 2;
        return switch (act.kind()) {
            case LISTEN -> listen();
            case STOP_LISTENING -> stopListening();
            case CONNECT -> connect(act);
            case ACCEPT -> accept(act);
            case WRITE ->
                new Outcome("", line.write(act.form(), Content.bytes(stream + writes, act.position(), act.size())));
            case READ -> new Outcome("", line.read(act.form(), act.size(), stream + reads, act.position()));
            case TIMED_READ -> timedRead(line, act, stream + reads);
            case INTERRUPTED -> interrupted(line, act, stream);
            case WRITE_ALL -> new Transfer(line, act, stream + writes).write();
            case READ_SOME -> new Transfer(line, act, stream + reads).read(act.size());
            case READ_TO_END -> new Transfer(line, act, stream + reads).read(Integer.MAX_VALUE);
            case AVAILABLE -> new Outcome("", line.in().available());
            case LOOK -> look(line.socket());
            case SHUT_INPUT -> shut(line.socket(), true);
            case SHUT_OUTPUT -> shut(line.socket(), false);
            case LINGER -> linger(line.socket(), act.size());
            case CLOSE -> close(line, act.form());
            case SETTLE -> Arrival.await(line.socket(), act.size(), act.form());
            default -> throw new AssertionError(act);
        };
    }

    private Outcome listen() throws IOException {
        listener = sockets.openServer();
        listener.bind(new InetSocketAddress(pairing.serverHost(), 0), ChannelPlayer.BACKLOG);
        return new Outcome("listens", listener.getLocalPort());
    }

    private Outcome stopListening() throws IOException {
        listener.close();
        return Outcome.of("listens no more");
    }

    private Outcome connect(Act act) throws IOException {
        Socket socket = sockets.open();
        try {
            InetSocketAddress to = new InetSocketAddress(pairing.serverHost(), (int) act.position());
            switch (act.form() % 4) {
                case 1 -> socket.connect(to, LONG_MILLIS);
                case 2 -> {
                    socket.bind(new InetSocketAddress(pairing.clientHost(), 0));
                    socket.connect(to);
                }
                default -> socket.connect(to);
            }
            socket.setTcpNoDelay(true);
            lines[act.line()] = SocketStreams.of(socket);
        } catch (IOException e) {
            return Outcome.of(e, socket.isClosed() ? 0 : 1);
        }
        connected(NetSockets.onRings(socket));
        return new Outcome("connected", socket.getLocalPort());
    }

    private Outcome accept(Act act) throws IOException {
        listener.setSoTimeout(act.form() % 3 == 0 ? LONG_MILLIS : 0);
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        lines[act.line()] = SocketStreams.of(socket);
        return new Outcome("accepted", socket.getPort());
    }

    private static Outcome timedRead(SocketStreams line, Act act, int stream) throws IOException {
        line.socket().setSoTimeout(1 + act.size() % 3);
        try {
            return new Outcome("", line.read(/* form= */ 0, act.size(), stream, act.position()));
        } finally {
            line.socket().setSoTimeout(0);
        }
    }

    private Outcome interrupted(SocketStreams line, Act act, int stream) throws IOException {
        Thread.currentThread().interrupt();
        int count = act.form() % 2 == 0
                ? line.read(act.form(), act.size(), stream + reads, act.position())
                : line.write(act.form(), Content.bytes(stream + writes, act.position(), act.size()));
        return new Outcome(Thread.interrupted() ? "interrupted" : "not interrupted", count);
    }

    private static Outcome look(Socket socket) throws IOException {
        return Outcome.of("closed " + socket.isClosed() + " connected " + socket.isConnected() + socket.isBound()
                + " shut " + socket.isInputShutdown() + socket.isOutputShutdown() + " linger " + socket.getSoLinger()
                + " timeout " + socket.getSoTimeout());
    }

    private static Outcome shut(Socket socket, boolean input) throws IOException {
        if (input) {
            socket.shutdownInput();
        } else {
            socket.shutdownOutput();
        }
        return Outcome.of("shut");
    }

    private static Outcome linger(Socket socket, int seconds) throws IOException {
        socket.setSoLinger(seconds >= 0, Math.max(0, seconds));
        return Outcome.of("lingers");
    }

    private static Outcome close(SocketStreams line, int form) throws IOException {
        switch (form % 3) {
            case 0 -> line.in().close();
            case 1 -> line.out().close();
            default -> line.socket().close();
        }
        return Outcome.of("closed");
    }

    @Override
    public void leave() throws IOException {
        for (int line = 0; line < lines.length; line++) {
            leaveLine(line);
        }
        if (listener != null) {
            listener.close();
        }
    }
}
