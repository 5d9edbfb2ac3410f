// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.CommandDescriptor;
import io.pipedevice.queue.CommandType;
import io.pipedevice.test.Attack;
import io.pipedevice.test.FrameMutator.Frame;
import io.pipedevice.test.StrangeFds;
import io.pipedevice.test.WordMutator.Word;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A correct attachment. Its sockets exchange data with each other and with an honest listener, with an occasional error
 * in a message, in a word of the page, or in a request. One thread.
 */
final class AttachmentFuzz {
    private static final int MAX_STEPS = 150;
    private static final int ONE_IN = 4;
    private static final int RING = 4096;
    private static final int PIECE = 1000;
    private static final int MANY = 200;
    private static final int PATIENCE_MS = 20_000;
    private static final int LAST_TYPE = ControlMessage.GOODBYE;

    /** Messages about regions and functions, with the numbers between them. */
    private static final int REGION_TYPES = FunctionMessage.STOP_SERVING - RegionMessage.OPEN_QUEUES + 1;

    private static final Set<Integer> CARRIERS = Set.of(
            ControlMessage.ADD_REGION,
            RegionMessage.OPEN_QUEUES,
            RegionMessage.REGISTER,
            FunctionMessage.REGISTER_FUNCTION,
            FunctionMessage.SERVE);

    private static final List<Word> HEADER = List.of(
            new Word("magic", LibPageDescriptor.MAGIC_OFFSET),
            new Word("version", LibPageDescriptor.VERSION_OFFSET),
            new Word("events consumed", LibPageDescriptor.EVENTS_CONSUMED_OFFSET));

    private static final List<Word> SLOT = List.of(
            new Word("consumed", LibPageDescriptor.CONSUMED_OFFSET),
            new Word("reader's arm word", LibPageDescriptor.READ_ARM_OFFSET),
            new Word("writer's arm word", LibPageDescriptor.WRITE_ARM_OFFSET),
            new Word("epoll's arm word", LibPageDescriptor.EPOLL_ARM_OFFSET),
            new Word("completions wanted", LibPageDescriptor.WRITE_WANTED_OFFSET));

    private static final List<Word> REQUEST =
            List.of(new Word("word 0", 0), new Word("word 1", 8), new Word("word 2", 16), new Word("word 3", 24));

    private static final int[] TYPES = {
        CommandType.SEND,
        CommandType.RECV_DONE,
        CommandType.SHUTDOWN,
        CommandType.SHUTDOWN_INPUT,
        CommandType.CLOSE,
        CommandType.OPENED,
        CommandType.EVENT
    };

    private final Attack attack;
    private final RawClient client;
    private final int port;
    private final List<RawSocket> sockets = new ArrayList<>();
    private int requests = 1 << 20;

    /** Begins with a connection to an honest listener's port. */
    AttachmentFuzz(Attack attack, RawClient client, int port) {
        this.attack = attack;
        this.client = client;
        this.port = port;
    }

    /** Continues until the driver ends the attachment, or the attachment has lasted long enough. */
    void run() throws IOException {
        connect();
        if (!attack.isHarmless() && attack.random.nextInt(ONE_IN) == 0) {
            breakRule();
            return;
        }
        for (int i = 0; i < MAX_STEPS; i++) {
            behave();
            if (!attack.isHarmless() && attack.random.nextInt(ONE_IN) == 0) {
                doWrong();
            }
            client.drainEvents();
            client.wakeDriver();
            if (client.control.awaitEnd(0)) {
                return;
            }
            attack.pause();
        }
    }

    private void connect() throws IOException {
        RawSocket listener = client.listen(TestDriver.loopback(0), 4, RING);
        sockets.add(client.socket().connect(listener.local, RING, RING));
        sockets.add(listener.accept(RING));
        try {
            sockets.add(client.socket().connect(TestDriver.loopback(port), RING, RING));
        } catch (RawException e) {
            // The honest process has not taken the earlier data.
            attack.pause();
        }
        sockets.add(listener);
        client.doorbell();
    }

    private void behave() throws IOException {
        byte[] bytes = new byte[1 + attack.honest.nextInt(PIECE)];
        try {
            sockets.get(0).write(bytes, 0, bytes.length);
            sockets.get(1).read(bytes);
            sockets.get(2).write(bytes, 0, bytes.length);
        } catch (RawException | NullPointerException | IndexOutOfBoundsException e) {
            // The driver has reset the socket because of a request that was posted in its name, and its number may be
            // that of another one, which has produced fewer bytes; the third socket may be the listener.
            client.wakeDriver();
        }
    }

    /** Makes one clear violation while everything else is correct. The driver must end the attachment because of it. */
    private void breakRule() throws IOException {
        behave();
        String what = attack.random.nextInt(4) == 0 ? sendShort() : postWrong();
        attack.log("breaks a rule: " + what);
        if (!client.control.awaitEnd(PATIENCE_MS)) {
            throw new AssertionError(what + " is served");
        }
    }

    private String sendShort() throws IOException {
        byte[] right = client.request(ControlMessage.SOCKET).memory().toArray(ValueLayout.JAVA_BYTE);
        int length = 2 + attack.random.nextInt(right.length - 2);
        client.control.send(Arrays.copyOf(right, length));
        return "message of " + length + " bytes";
    }

    private String postWrong() throws IOException {
        int type = CommandType.SEND;
        long source = attack.random.nextInt(RING / 2);
        int length = 1 + attack.random.nextInt(PIECE);
        switch (attack.random.nextInt(5)) {
            case 0 -> source = RING - attack.random.nextLong(length);
            case 1 -> source = RING + attack.random.nextLong(1L << attack.random.nextInt(40));
            case 2 -> source = -1 - attack.random.nextLong(RING);
            case 3 -> length = -attack.random.nextInt(PIECE);
            default -> type = CommandType.EVENT;
        }
        sockets.get(0).post(type, source, length, 0);
        return "request " + type + " of " + length + " bytes at " + source;
    }

    private RawSocket anySocket() {
        return sockets.get(attack.random.nextInt(3));
    }

    private void doWrong() throws IOException {
        switch (attack.random.nextInt(10)) {
            case 0 -> attack.log(attack.words.mutate(HEADER, client.libPage.memory(), 0));
            case 1, 2, 3 -> word();
            case 4 -> sendMessage(1);
            case 5 -> sendMessage(1 + attack.random.nextInt(MANY));
            case 6 -> postedEntry();
            default -> post(attack.random.nextInt(4) == 0 ? 1 + attack.random.nextInt(MANY) : 1);
        }
    }

    private void word() {
        int sid = anySocket().sid;
        attack.log("socket " + sid + " "
                + attack.words.mutate(SLOT, client.libPage.memory(), LibPageDescriptor.slot(client.depth, sid)));
    }

    /** Changes a request in the ring, which the driver may have read, be reading or read later. */
    private void postedEntry() {
        long entry = LibPageDescriptor.REQUESTS_OFFSET
                + (long) CommandDescriptor.ENTRY_LENGTH * attack.random.nextInt(client.depth);
        attack.log("request at " + entry + " " + attack.words.mutate(REQUEST, client.libPage.memory(), entry));
    }

    /** Posts a request with one error, several times. */
    private void post(int times) throws IOException {
        RawSocket socket = anySocket();
        int type = TYPES[attack.random.nextInt(TYPES.length)];
        long source = attack.random.nextInt(RING);
        int length = 1 + attack.random.nextInt(PIECE);
        int sid = socket.sid;
        int tableId = 0;
        int generation = socket.generation;
        long odd = attack.random.nextLong();
        switch (attack.random.nextInt(6)) {
            case 0 -> type = (int) odd & 0xFF;
            case 1 -> source = odd;
            case 2 -> length = (int) odd;
            case 3 -> sid = (int) odd & 0xFFFF;
            case 4 -> tableId = (int) odd & 0xFF;
            default -> generation = (int) odd & 0xFFFF;
        }
        attack.log(times + " times request " + type + " of " + length + " at " + source + ", socket " + sid + ", table "
                + tableId + ", generation " + generation);
        for (int i = 0; i < times; i++) {
            client.requests.offer(type, source, 0, length, sid, tableId, generation & 0xFFFF);
        }
    }

    /** Sends a message of any type with one error, several times. */
    private void sendMessage(int times) throws LinuxException {
        int type = attack.random.nextInt(4) == 0
                ? RegionMessage.OPEN_QUEUES + attack.random.nextInt(REGION_TYPES)
                : 1 + attack.random.nextInt(LAST_TYPE);
        RawSocket socket = anySocket();
        StrangeFds.Named memory = attack.strange.any(attack.random);
        ControlMessage message = new ControlMessage()
                .request(type, ++requests)
                .socketId(socket.sid)
                .value(4)
                .argument(StrangeFds.SIZE)
                .localAddress(TestDriver.loopback(0))
                .peerAddress(TestDriver.loopback(port))
                .sendRing(0, 0, RING)
                .receiveRingSize(RING);
        Fd[] along = CARRIERS.contains(type) ? new Fd[] {memory.fd()} : new Fd[0];
        Frame wrong = attack.frame(Frame.of("message of type " + type, message.memory(), along));
        attack.log(times + " times");
        for (int i = 0; i < times && wrong.send(client.control.socket); i++) {
            Thread.onSpinWait();
        }
    }
}
