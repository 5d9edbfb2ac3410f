// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.jdk.Literals;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.SocketSearch;
import io.pipedevice.linux.TcpConnections;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import io.pipedevice.protocol.PermitPageDescriptor;
import io.pipedevice.test.Attack;
import io.pipedevice.test.FrameMutator.Frame;
import io.pipedevice.test.TcpStates;
import io.pipedevice.test.WordMutator.Word;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;

/**
 * Two participants, which have the two ends of connections of the kernel's and have the driver introduce them, directly
 * or through its device, with an occasional error: in a message, its descriptors, the sockets of questions, the permits
 * to read them, a ticket, or the memory of a link that is shown. One thread.
 */
final class IntroductionFuzz {
    private static final int MEETINGS = 8;
    private static final int ONE_IN = 6;
    private static final int NUMBER = 1;
    private static final int RING = 4096;
    private static final long MOMENT_MS = 50;
    private static final long PATIENCE_MS = 5000;

    /** The driver's policy gives connections from here the path through its device. */
    static final InetAddress BY_DEVICE = Literals.address("127.0.0.5");

    private static final InetAddress DIRECT = Literals.address("127.0.0.1");

    private static final List<Word> HEADER = List.of(
            new Word("magic", PermitPageDescriptor.MAGIC_OFFSET),
            new Word("version", PermitPageDescriptor.VERSION_OFFSET));

    private final Attack attack;
    private final Path directory;
    private final TcpStates states;
    private Participation client;
    private Participation server;
    private ServerSocketChannel kernel;

    /** An attachment for connections through the device, and its listener; null before the first one. */
    private RawClient device;

    private RawSocket deviceListener;
    private int slot;

    IntroductionFuzz(Attack attack, Path directory, TcpStates states) {
        this.attack = attack;
        this.directory = directory;
        this.states = states;
    }

    /** Continues until the driver ends a participation, or it has lasted long enough. */
    void run() throws IOException {
        try (Participation clients = ParticipationFuzz.join(attack, directory);
                Participation servers = ParticipationFuzz.join(attack, directory);
                ServerSocketChannel listener = ServerSocketChannel.open().bind(TestDriver.loopback(0))) {
            client = clients;
            server = servers;
            kernel = listener;
            announce();
            for (int i = 0; i < MEETINGS && !client.isOver() && !server.isOver(); i++) {
                switch (attack.honest.nextInt(6)) {
                    case 0 -> findNeighbour();
                    case 1, 2 -> meet(BY_DEVICE);
                    default -> meet(DIRECT);
                }
                if (attack.isWrong(3)) {
                    doWrong();
                }
                attack.pause();
            }
        } finally {
            if (device != null) {
                device.close();
            }
        }
    }

    private void say(Participation from, Frame right) throws IOException {
        from.send(attack.sometimes(ONE_IN, right));
    }

    private InetSocketAddress address() throws IOException {
        return (InetSocketAddress) kernel.getLocalAddress();
    }

    private void announce() throws IOException {
        try (Fd diag = TcpConnections.openSocket()) {
            say(server, server.listens(NUMBER, address(), diag));
        }
        Fd listening = TcpStates.fd(kernel);
        long inode = SocketSearch.inode(ProcessFacts.self(), listening.number());
        say(server, server.serves(NUMBER, listening.number(), inode));
        if (attack.honest.nextInt(3) == 0) {
            offer();
        }
    }

    private void offer() throws IOException {
        if (device == null) {
            device = RawClient.attach(TestDriver.endpoint(directory));
            deviceListener = device.listen(TestDriver.loopback(0), 4, RING);
        }
        say(server, server.offers(NUMBER, device.cid, deviceListener.sid));
    }

    private long patience() {
        return attack.isHarmless() ? PATIENCE_MS : MOMENT_MS;
    }

    /** A connection of the kernel's, about whose ends both participants ask. */
    private void meet(InetAddress from) throws IOException {
        if (from.equals(BY_DEVICE)) {
            offer();
        }
        try (SocketChannel one = SocketChannel.open().bind(new InetSocketAddress(from, 0))) {
            InetSocketAddress local = (InetSocketAddress) one.getLocalAddress();
            say(client, client.intend(local.getPort()));
            int intent = client.request();
            one.connect(address());
            try (SocketChannel other = kernel.accept()) {
                boolean first = attack.honest.nextBoolean();
                if (first) {
                    accepted(local.getPort(), other);
                }
                Fd socket = shown(one);
                say(client, client.connected(intent, nextSlot(), local, address(), socket));
                disturbPermits();
                if (!first) {
                    accepted(local.getPort(), other);
                }
                if (client.await(IntroductionMessage.CONNECTED, intent, patience())) {
                    introduced(intent, client.answer());
                }
            }
        }
    }

    private int nextSlot() {
        slot = (slot + 1) % PermitPageDescriptor.SLOTS;
        return slot;
    }

    /** The socket to ask about: sometimes another one, in any state. */
    private Fd shown(SocketChannel right) throws IOException {
        if (!attack.isWrong(ONE_IN)) {
            return TcpStates.fd(right);
        }
        TcpStates.Named wrong = states.any(attack.random);
        attack.log("asks about a " + wrong.name());
        return wrong.fd();
    }

    private void accepted(int port, SocketChannel socket) throws IOException {
        Frame question = server.accepted(NUMBER, nextSlot(), port, shown(socket));
        say(server, question);
        if (attack.isWrong(4 * ONE_IN)) {
            attack.log("ACCEPTED twice");
            server.send(question);
        }
        disturbPermits();
    }

    private void disturbPermits() {
        if (!attack.isWrong(ONE_IN)) {
            return;
        }
        Participation of = attack.random.nextBoolean() ? client : server;
        int near = Math.max(0, slot - attack.random.nextInt(3));
        if (attack.random.nextBoolean()) {
            attack.log("withdraws the permit of slot " + near);
            of.withdrawPermit(near);
        } else {
            int word = attack.random.nextInt();
            attack.log("permit of slot " + near + " = " + word);
            of.permitMemory().set(ValueLayout.JAVA_INT, PermitPageDescriptor.permit(near), word);
        }
        attack.log(attack.words.mutate(HEADER, of.permitMemory(), 0));
    }

    private void introduced(int intent, ControlMessage answer) throws IOException {
        if (answer.status() != 0) {
            attack.reached("refused " + answer.status());
        } else if (answer.value() == 0) {
            attack.reached("ticket");
            redeem(answer.argument());
        } else {
            attack.reached("introduced");
            int process = answer.value();
            long startTime = answer.argument();
            if (attack.honest.nextBoolean()) {
                link(IntroductionMessage.LINK, process, startTime, answer.socketId());
            }
            say(client, client.made(intent));
        }
    }

    private void link(int type, int process, long startTime, int listener) throws IOException {
        say(client, client.link(type, process, startTime, listener));
        if (!client.await(type, client.request(), patience())) {
            return;
        }
        Fd link = client.takeLinked();
        if (link == null) {
            return;
        }
        attack.reached("linked");
        link.close();
        ShownLinkFuzz.show(attack, client);
        Fd newcomer = server.takeNewcomer();
        if (newcomer != null) {
            newcomer.close();
        }
    }

    /** Goes on with a connection through the device. */
    private void redeem(long ticket) throws IOException {
        long shown = ticket;
        if (attack.isWrong(3)) {
            shown = attack.random.nextBoolean() ? ticket + attack.random.nextInt(3) - 1 : attack.random.nextLong();
            attack.log("a ticket that is " + (shown - ticket) + " more");
        }
        int times = attack.isWrong(ONE_IN) ? 2 : 1;
        for (int i = 0; i < times; i++) {
            RawSocket socket = device.socket();
            try {
                socket.connectBy(shown, address(), RING);
                RawSocket accepted = deviceListener.accept(RING);
                attack.reached("redeemed");
                byte[] bytes = new byte[100];
                socket.write(bytes, 0, bytes.length);
                accepted.read(bytes);
                accepted.close();
            } catch (RawException e) {
                attack.reached("ticket refused");
            }
            socket.close();
        }
    }

    private void findNeighbour() throws IOException {
        long inode =
                SocketSearch.inode(ProcessFacts.self(), TcpStates.fd(kernel).number());
        say(client, client.find(inode, address()));
        if (client.await(IntroductionMessage.FIND, client.request(), patience())
                && client.answer().status() == 0) {
            attack.reached("found");
            ControlMessage answer = client.answer();
            link(IntroductionMessage.LINK_NEIGHBOUR, answer.value(), answer.argument(), answer.socketId());
        }
    }

    private void doWrong() throws IOException {
        Participation from = attack.random.nextBoolean() ? client : server;
        switch (attack.random.nextInt(7)) {
            case 0 -> {
                int request = from.request() - attack.random.nextInt(4);
                attack.log("WITHDRAW " + request);
                from.send(from.withdraw(request));
            }
            case 1 -> {
                attack.log("the listener is closed");
                server.send(server.listensNoMore(NUMBER));
            }
            case 2 -> {
                attack.log("PERMITS again");
                from.send(from.permits());
            }
            case 3 -> {
                attack.log("JOIN again");
                from.send(from.join());
            }
            case 4 -> {
                int many = attack.random.nextInt(300);
                attack.log(many + " intents");
                for (int i = 0; i < many; i++) {
                    client.send(client.intend(attack.random.nextInt(1 << 16)));
                }
            }
            case 5 -> flood();
            default -> {
                attack.log("MADE too early");
                client.send(client.made(client.request()));
            }
        }
    }

    /** Asks about many sockets, more than the driver reads at a time. */
    private void flood() throws IOException {
        int many = attack.random.nextInt(300);
        TcpStates.Named wrong = states.any(attack.random);
        attack.log(many + " questions about a " + wrong.name());
        for (int i = 0; i < many; i++) {
            server.send(server.accepted(NUMBER, nextSlot(), 1 + attack.random.nextInt(1 << 15), wrong.fd()));
        }
    }
}
