// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Channels;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;

/**
 * One end of a game in this process. Acts run on threads of their own, one at a time except for those that
 * {@link #begin} started.
 */
final class LocalPlayer implements Player {
    static final LongAdder CONNECTIONS = new LongAdder();
    static final LongAdder ON_RINGS = new LongAdder();

    private static final int BACKLOG = 16;

    /**
     * On busy processors a game may be slow, and processes may be stopped; only a game that hangs takes as long as
     * this.
     */
    private static final long PATIENCE_S = 600;

    private final Pairing pairing;
    private final SelectorProvider provider;
    private final int writes;
    private final int reads;
    private final SocketChannel[] channels = new SocketChannel[Step.LINES];
    private final ArrayDeque<Task<Outcome>> begun = new ArrayDeque<>();
    private final Selections selections;

    /** Set by the acts of one thread at a time. */
    private volatile boolean wasOnRings = true;

    private ServerSocketChannel listener;

    LocalPlayer(Pairing pairing, boolean client) throws IOException {
        this.pairing = pairing;
        this.provider = client ? pairing.client() : pairing.server();
        this.writes = client ? 0 : 1;
        this.reads = 1 - writes;
        this.selections = new Selections(provider.openSelector());
    }

    @Override
    public Outcome act(Act act) throws Exception {
        return act.kind() == Act.Kind.SETTLE
                ? perform(act)
                : start(act, () -> perform(act)).resultWithin(PATIENCE_S);
    }

    @Override
    public void begin(Act act) throws IOException {
        SocketChannel channel = channels[act.line()];
        if (act.kind() == Act.Kind.SELECT_BUSILY) {
            selections.prepareBusy();
        }
        // Open the stream now: it cannot be opened once the input is shut, which may happen before the thread starts.
        InputStream input = act.kind() == Act.Kind.READ ? Forms.input(channel, act.form()) : null;
        begun.add(input == null ? start(act, () -> perform(act)) : start(act, () -> read(channel, input, act)));
    }

    @Override
    public void interrupt() {
        begun.getLast().interrupt();
    }

    @Override
    public Outcome end() throws Exception {
        Task<Outcome> task = begun.remove();
        Outcome outcome = task.resultWithin(PATIENCE_S);
        return task.interruptedAtEnd() ? new Outcome(outcome.text() + ", interrupted", outcome.count()) : outcome;
    }

    private Task<Outcome> start(Act act, Callable<Outcome> body) {
        return new Task<>(act.thread(), () -> {
            try {
                return body.call();
            } catch (IOException | RuntimeException e) {
                return Outcome.of(e, 0);
            } catch (AssertionError e) {
                // Close the line. Otherwise the other end would wait for this one, and its late failure would be
                // reported first.
                leaveLine(act.line());
                throw e;
            }
        });
    }

    private void leaveLine(int line) throws IOException {
        if (channels[line] != null) {
            channels[line].close();
        }
    }

    private Outcome perform(Act act) throws IOException {
        SocketChannel channel = channels[act.line()];
        int stream = channel == null ? 0 : act.line() * 2;
        return switch (act.kind()) {
            case LISTEN -> listen();
            case STOP_LISTENING -> stopListening();
            case CONNECT -> connect(act);
            case ACCEPT -> accept(act);
            case WRITE -> write(channel, act, stream + writes);
            case NOTED_WRITE -> notedWrite(channel, act, stream + writes);
            case READ -> read(channel, act, stream + reads);
            case TIMED_READ -> timedRead(channel, act, stream + reads);
            case INTERRUPTED -> interrupted(channel, act, stream);
            case WRITE_ALL -> new Transfer(channel, act, stream + writes).write();
            case FILL -> new Transfer(channel, act, stream + writes).fill();
            case READ_SOME -> new Transfer(channel, act, stream + reads).read(act.size());
            case READ_TO_END -> new Transfer(channel, act, stream + reads).read(Integer.MAX_VALUE);
            case AVAILABLE -> new Outcome("", channel.socket().getInputStream().available());
            case LOOK -> look(channel);
            case SHUT_INPUT -> shut(channel, true, act.form());
            case SHUT_OUTPUT -> shut(channel, false, act.form());
            case LINGER -> linger(channel, act.size());
            case CLOSE -> close(channel, act.form());
            case MODE -> mode(channel, act.form());
            case REGISTER -> selections.register(channel, act.line(), act.size());
            case INTEREST -> selections.interest(act.line(), act.size());
            case CANCEL -> selections.cancel(act.line());
            case SELECT -> selections.select(act.form());
            case BLOCK_IN_SELECT -> selections.block();
            case SELECT_BUSILY -> selections.selectBusily();
            case END_OF_SELECTS -> selections.endBusy();
            case WAKE_UP -> selections.wakeUp();
            case SETTLE -> Arrival.await(channel, act.size(), act.form());
        };
    }

    private Outcome listen() throws IOException {
        listener = provider.openServerSocketChannel().bind(new InetSocketAddress(pairing.serverHost(), 0), BACKLOG);
        return new Outcome("listens", ((InetSocketAddress) listener.getLocalAddress()).getPort());
    }

    private Outcome stopListening() throws IOException {
        listener.close();
        return Outcome.of("listens no more");
    }

    private Outcome connect(Act act) throws IOException {
        SocketChannel channel = provider.openSocketChannel();
        channels[act.line()] = channel;
        InetSocketAddress to = new InetSocketAddress(pairing.serverHost(), (int) act.position());
        String done = "";
        switch (act.form() % 7) {
            case 2 -> {
                done += channel.configureBlocking(false).isBlocking() + " " + channel.connect(to);
                Readiness.await(channel, SelectionKey.OP_CONNECT);
                done += channel.finishConnect();
            }
            case 3 -> {
                channel.configureBlocking(false);
                done += channel.connect(to) + " " + channel.isConnectionPending();
                channel.configureBlocking(true);
                done += channel.finishConnect();
            }
            case 4 -> channel.socket().connect(to, 100_000);
            case 5 ->
                done += channel.bind(new InetSocketAddress(pairing.clientHost(), 0))
                        .connect(to);
            case 6 -> channel.socket().connect(to);
            default -> done += channel.connect(to);
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        CONNECTIONS.increment();
        if (Transports.onRings(channel)) {
            ON_RINGS.increment();
        } else {
            wasOnRings = false;
        }
        return new Outcome("connected " + done, ((InetSocketAddress) channel.getLocalAddress()).getPort());
    }

    /** Whether all connections that this end made are on rings. */
    boolean wasOnRings() {
        return wasOnRings;
    }

    private Outcome accept(Act act) throws IOException {
        SocketChannel channel;
        switch (act.form() % 4) {
            case 0 -> {
                listener.configureBlocking(false);
                Readiness.await(listener, SelectionKey.OP_ACCEPT);
                channel = listener.accept();
                listener.configureBlocking(true);
            }
            case 1 -> channel = listener.socket().accept().getChannel();
            default -> channel = listener.accept();
        }
        channels[act.line()] = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new Outcome("accepted", ((InetSocketAddress) channel.getRemoteAddress()).getPort());
    }

    private static Outcome write(SocketChannel channel, Act act, int stream) throws IOException {
        return new Outcome("", Forms.write(channel, act.form(), Content.bytes(stream, act.position(), act.size())));
    }

    private static Outcome notedWrite(SocketChannel channel, Act act, int stream) throws IOException {
        Outcome written = write(channel, act, stream);
        return new Outcome("wrote " + written.count(), System.nanoTime());
    }

    private static Outcome read(SocketChannel channel, Act act, int stream) throws IOException {
        return new Outcome("", Forms.read(channel, act.form(), act.size(), stream, act.position()));
    }

    private Outcome read(SocketChannel channel, InputStream input, Act act) throws IOException {
        int stream = act.line() * 2 + reads;
        return new Outcome("", Forms.read(channel, input, act.form(), act.size(), stream, act.position()));
    }

    private static Outcome timedRead(SocketChannel channel, Act act, int stream) throws IOException {
        channel.socket().setSoTimeout(1 + act.size() % 3);
        try {
            return new Outcome("", Forms.read(channel, /* form= */ 4, act.size(), stream, act.position()));
        } finally {
            channel.socket().setSoTimeout(0);
        }
    }

    private Outcome interrupted(SocketChannel channel, Act act, int stream) throws IOException {
        Thread.currentThread().interrupt();
        return act.form() % 2 == 0 ? read(channel, act, stream + reads) : write(channel, act, stream + writes);
    }

    private static Outcome look(SocketChannel channel) throws IOException {
        String always = "open " + channel.isOpen() + channel.socket().isClosed() + " connected " + channel.isConnected()
                + channel.isConnectionPending() + channel.socket().isConnected()
                + channel.socket().isBound() + " blocking " + channel.isBlocking() + " registered "
                + channel.isRegistered() + " shut " + channel.socket().isInputShutdown()
                + channel.socket().isOutputShutdown();
        return Outcome.of(always + " linger " + channel.getOption(StandardSocketOptions.SO_LINGER) + " peer "
                + (channel.getRemoteAddress() != null));
    }

    private static Outcome shut(SocketChannel channel, boolean input, int form) throws IOException {
        if (form % 3 == 0 && input) {
            channel.socket().shutdownInput();
        } else if (form % 3 == 0) {
            channel.socket().shutdownOutput();
        } else if (input) {
            channel.shutdownInput();
        } else {
            channel.shutdownOutput();
        }
        return Outcome.of("shut");
    }

    private static Outcome linger(SocketChannel channel, int seconds) throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, seconds);
        return Outcome.of("lingers");
    }

    private static Outcome close(SocketChannel channel, int form) throws IOException {
        switch (form % 6) {
            case 3 -> channel.socket().close();
            case 4 -> Channels.newInputStream(channel).close();
            case 5 -> Channels.newOutputStream(channel).close();
            default -> channel.close();
        }
        return Outcome.of("closed");
    }

    private static Outcome mode(SocketChannel channel, int form) throws IOException {
        channel.configureBlocking(form % 2 == 0);
        return Outcome.of("blocking " + channel.isBlocking());
    }

    @Override
    public void leave() throws IOException {
        for (int line = 0; line < channels.length; line++) {
            leaveLine(line);
        }
        if (listener != null) {
            listener.close();
        }
        selections.close();
    }
}
