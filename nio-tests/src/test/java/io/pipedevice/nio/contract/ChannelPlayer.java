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
import java.util.concurrent.Callable;

/** An end whose connections are channels. */
final class ChannelPlayer extends LocalPlayer {
    static final int BACKLOG = 16;

    private final SelectorProvider provider;
    private final SocketChannel[] channels = new SocketChannel[Step.LINES];
    private final Selections selections;
    private ServerSocketChannel listener;

    ChannelPlayer(Pairing pairing, boolean client) throws IOException {
        super(pairing, client);
        this.provider = client ? pairing.client() : pairing.server();
        this.selections = new Selections(provider.openSelector());
    }

    @Override
    Callable<Outcome> prepared(Act act) throws IOException {
        SocketChannel channel = channels[act.line()];
        if (act.kind() == Act.Kind.SELECT_BUSILY) {
            selections.prepareBusy();
        }
        // Open the stream now: it cannot be opened once the input is shut, which may happen before the thread starts.
        InputStream input = act.kind() == Act.Kind.READ ? Forms.input(channel, act.form()) : null;
        return input == null ? () -> perform(act) : () -> read(channel, input, act);
    }

    @Override
    void leaveLine(int line) throws IOException {
        if (channels[line] != null) {
            channels[line].close();
        }
    }

    @Override
    Outcome perform(Act act) throws IOException {
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
            case SEND_FILE -> send(channel, act, stream + writes);
            case RECEIVE_FILE -> receive(channel, act, stream + reads);
            case INTERRUPTED -> interrupted(channel, act, stream);
            case WRITE_ALL -> new Transfer(new ChannelStreams(channel), act, stream + writes).write();
            case FILL -> new ChannelStreams(channel).fill(stream + writes, act.position());
            case READ_SOME -> new Transfer(new ChannelStreams(channel), act, stream + reads).read(act.size());
            case READ_TO_END -> new Transfer(new ChannelStreams(channel), act, stream + reads).read(Integer.MAX_VALUE);
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
        connected(Transports.onRings(channel));
        return new Outcome("connected " + done, ((InetSocketAddress) channel.getLocalAddress()).getPort());
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

    private static Outcome send(SocketChannel channel, Act act, int stream) throws IOException {
        return new Outcome("", FileForms.send(channel, act.form(), Content.bytes(stream, act.position(), act.size())));
    }

    private static Outcome receive(SocketChannel channel, Act act, int stream) throws IOException {
        return new Outcome("", FileForms.receive(channel, act.form(), act.size(), stream, act.position()));
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
        if (act.form() % 2 == 0) {
            return read(channel, act, stream + reads);
        }
        // Of each kind of write that there is.
        return act.form() % 5 == 0 && OlderJdk.SENDS_FILES_AS_LATER
                ? send(channel, act, stream + writes)
                : write(channel, act, stream + writes);
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
