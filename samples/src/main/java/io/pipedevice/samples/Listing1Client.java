// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdNetwork;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.tool.SizeConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.zip.CRC32C;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The client of Listing 1: writes each message into a block of its send ring and sends it from there, without a copy.
 */
@Command(name = "client", description = "Send pseudo-random bytes to the server, and their checksum.")
final class Listing1Client implements Callable<Integer> {
    @Option(names = "--dir", paramLabel = "DIR", description = Transfer.DIRECTORY)
    private Path directory;

    @Option(
            names = "--port",
            defaultValue = "9000",
            paramLabel = "PORT",
            description = "The server's port (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--bytes",
            defaultValue = "64m",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Number of bytes to send; k, m and g are understood (default: ${DEFAULT-VALUE}).")
    private long bytes;

    @Option(
            names = "--message",
            defaultValue = "64k",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Length of a message, 1 to 1m (default: ${DEFAULT-VALUE}).")
    private long message;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the bytes (default: another one each time).")
    private Long seed;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (message < 1 || message > Transfer.MAX_PIECE) {
            throw new ParameterException(spec.commandLine(), "--message must be from 1 to 1m, not " + message);
        }
        long usedSeed = seed == null ? System.nanoTime() : seed;
        SplittableRandom random = new SplittableRandom(usedSeed);
        CRC32C checksum = new CRC32C();
        PrintWriter out = spec.commandLine().getOut();
        out.println("client: sends " + bytes + " bytes in messages of " + message + ", seed " + usedSeed);

        try (PdNetwork network = Transfer.network(directory)) {
            // A ring that holds four messages: one can be written while others are in flight.
            int ring = Math.max(RingBuffer.DEFAULT_SIZE, 4 * (int) message);
            PdConnection socket = network.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ring);
            PdBuffer sendBuf = new PdBuffer();
            long start = System.nanoTime();
            Transfer.sendNumber(socket, sendBuf, bytes);
            for (long left = bytes; left > 0; ) {
                int length = (int) Math.min(message, left);
                socket.malloc(length, sendBuf, PipeDevice.FOREVER);
                // A new block can be written at once; one that was sent before, only if this returns true.
                if (!socket.bufRefresh(sendBuf)) {
                    throw new IllegalStateException("a new block is in use");
                }
                ByteBuffer payload = sendBuf.asByteBuffer();
                fill(payload, random);
                checksum.update(payload.flip());
                socket.send(sendBuf, length, PipeDevice.FOREVER);
                // Its space is reused after it was sent.
                socket.free(sendBuf);
                left -= length;
            }
            Transfer.sendNumber(socket, sendBuf, checksum.getValue());
            long nanos = System.nanoTime() - start;
            socket.close();
            out.println(Transfer.summary("client", bytes, nanos, checksum.getValue()));
        }
        return 0;
    }

    private static void fill(ByteBuffer payload, SplittableRandom random) {
        while (payload.remaining() >= Long.BYTES) {
            payload.putLong(random.nextLong());
        }
        while (payload.hasRemaining()) {
            payload.put((byte) random.nextInt());
        }
    }
}
