// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.active.Calls;
import io.pipedevice.active.FunctionDefinition;
import io.pipedevice.active.Grant;
import io.pipedevice.active.Place;
import io.pipedevice.active.QueuePair;
import io.pipedevice.active.Region;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteFunction;
import io.pipedevice.active.RemoteRegion;
import io.pipedevice.active.Right;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.test.HonestClient;
import io.pipedevice.test.HonestServer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * What an honest process does beside its connections: connections that the driver introduces, operations on a region,
 * and calls of a function. It checks every byte. Other processes may read the region and call the function. Used by one
 * thread.
 */
final class BystandingServices implements AutoCloseable {
    private static final int SIZE = 8192;
    private static final int MOST_FUEL = 10_000;

    /** Connections in a row that stay on the kernel, although nothing keeps the driver from introducing them. */
    private static final int MOST_NOT_INTRODUCED = 500;

    private final Random random = new Random(3);
    private final HonestServer server;
    private final HonestClient client;
    private final Regions owner;
    private final Regions user;
    private final Region table;
    private final Region buffer;
    private final RemoteRegion remote;
    private final QueuePair queue;
    private final Region counters;
    private final Calls calls;
    private final RemoteFunction function;
    private final MemorySegment message;
    private final byte[] pattern = new byte[SIZE];
    private long counted;
    private long rounds;
    private long lastIntroduced;

    BystandingServices(Path directory) throws IOException {
        server = new HonestServer(DriverDirectory.at(directory)::connect);
        client = new HonestClient(DriverDirectory.at(directory)::connect, 3);
        owner = Regions.attach(DriverDirectory.at(directory));
        user = Regions.attach(DriverDirectory.at(directory));
        table = owner.register(RegionFuzz.HONEST, SIZE, Grant.anyone(Right.READ));
        random.nextBytes(pattern);
        MemorySegment.copy(pattern, 0, table.memory(), ValueLayout.JAVA_BYTE, 0, SIZE);
        buffer = user.register(SIZE);
        remote = user.find(RegionFuzz.HONEST, Right.READ);
        queue = user.queuePair();
        // Others call this function with words of their own, so it must not count in this process's checks.
        counters = owner.register("bystander's counters", SIZE, Grant.anyone(Right.READ));
        FunctionDefinition definition = new FunctionDefinition(
                FunctionFuzz.HONEST,
                1,
                FunctionPrograms.READ.bytes(),
                FunctionPrograms.MESSAGE,
                List.of(table),
                MOST_FUEL);
        owner.register(definition, Grant.anyone(Right.CALL));
        function = user.findFunction(FunctionFuzz.HONEST);
        calls = user.calls(1);
        message = calls.message(function);
    }

    /** Uses each service once. */
    void once() throws IOException {
        read();
        call();
        client.once(server.address());
        rounds++;
        if (client.onRings() > counted) {
            counted = client.onRings();
            lastIntroduced = rounds;
        } else if (rounds - lastIntroduced > MOST_NOT_INTRODUCED) {
            throw new AssertionError("no connection is introduced any more: " + client.why());
        }
    }

    private void read() throws IOException {
        int length = 1 + random.nextInt(SIZE);
        int from = random.nextInt(SIZE - length + 1);
        buffer.memory().fill((byte) 0);
        queue.read(remote, from, buffer, 0, length);
        MemorySegment expected = MemorySegment.ofArray(pattern).asSlice(from, length);
        if (buffer.memory().asSlice(0, length).mismatch(expected) >= 0) {
            throw new AssertionError("wrong bytes were read from the region");
        }
        if (table.memory().mismatch(MemorySegment.ofArray(pattern)) >= 0) {
            throw new AssertionError("another process has changed the region");
        }
    }

    /** The function reads eight bytes of the region into the message. */
    private void call() throws IOException {
        long first = random.nextInt();
        int at = 8 * random.nextInt(SIZE / 8);
        message.set(ValueLayout.JAVA_LONG, 0, first);
        message.set(ValueLayout.JAVA_LONG, 8, at);
        message.set(ValueLayout.JAVA_LONG, 16, 0);
        long result = calls.call(function, message, Place.DEVICE);
        long expected = MemorySegment.ofArray(pattern).get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        if (result != first + 1 || message.get(ValueLayout.JAVA_LONG, 16) != expected) {
            throw new AssertionError("the function returned " + result + " for " + first + ", or other bytes");
        }
    }

    /** What was done, for a person. */
    @Override
    public String toString() {
        return rounds + " reads, calls and connections, " + counted + " of them introduced; last: " + client.why();
    }

    @Override
    public void close() {
        calls.close();
        function.close();
        queue.close();
        remote.close();
        counters.close();
        buffer.close();
        table.close();
        user.close();
        owner.close();
        client.close();
        try {
            server.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
