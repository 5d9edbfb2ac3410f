// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.client.ChunkReceivedCallback;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.StreamCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.server.NoOpRpcHandler;

/**
 * Fetches blocks as an executor of Spark does: takes the server's {@code port}, the {@code filesize} and {@code sha256}
 * of its file, and the {@code size} of a check's data; with {@code measure} it only measures.
 */
final class SparkClient {
    private static final int CHUNK = 1 << 20;
    private static final int LARGE = 32 << 20;
    private static final int UPLOAD = 8 << 20;
    private static final int ON_THEIR_WAY = 8;
    private static final int REQUESTS = 200;
    private static final int CLIENTS = 20;
    private static final int MEASURED_LENGTH = 100;

    private final Arguments arguments;
    private final int port;
    private final long size;
    private final Checks checks;
    private final TransportClientFactory clients;
    private final TransportClient client;

    private SparkClient(Arguments arguments, Checks checks, TransportClientFactory clients) throws Exception {
        this.arguments = arguments;
        port = arguments.number("port");
        size = arguments.size("size");
        this.checks = checks;
        this.clients = clients;
        client = open();
    }

    private TransportClient open() throws Exception {
        return clients.createUnmanagedClient("127.0.0.1", port);
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        try (TransportContext context = new TransportContext(SparkServer.settings(), new NoOpRpcHandler());
                TransportClientFactory clients = context.createClientFactory()) {
            SparkClient client = new SparkClient(arguments, checks, clients);
            if (arguments.has("measure")) {
                checks.run("measure", client::measure);
            } else {
                checks.run("requests of all sizes", client::requests);
                checks.run("chunks from memory", () -> client.chunks(client.client, CHUNK, client.size / CHUNK));
                checks.run("large chunks", () -> client.chunks(client.client, LARGE, 2));
                checks.run("chunks of a file", client::fileChunks);
                checks.run("a file as a stream", client::stream);
                checks.run("uploads", client::uploads);
                checks.run("chunks by many connections", client::many);
            }
        }
        checks.end();
    }

    private void requests() {
        for (int i = 0; i < REQUESTS; i++) {
            request(i, i * i * i);
        }
    }

    private void request(int seed, int length) {
        ByteBuffer answer =
                client.sendRpcSync(SparkServer.noise(seed, length), TimeUnit.SECONDS.toMillis(arguments.size("limit")));
        Checks.same(SparkServer.noise(seed, length), answer);
        checks.sent(length);
        checks.received(length);
    }

    /** Fetches chunks, some of which are always in flight. */
    private void chunks(TransportClient by, int length, long count) throws Exception {
        Semaphore room = new Semaphore(length == LARGE ? 1 : ON_THEIR_WAY);
        List<CompletableFuture<String>> digests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            room.acquire();
            digests.add(fetch(by, length, i, Noise.sha256()).whenComplete((digest, failure) -> room.release()));
        }
        for (int i = 0; i < count; i++) {
            Checks.same(Noise.digest(i, length), digests.get(i).get());
            checks.received(length);
        }
    }

    /** Fetches one chunk, and updates the digest with its content. */
    private static CompletableFuture<String> fetch(TransportClient by, long stream, int chunk, MessageDigest digest) {
        return fetchInto(by, stream, chunk, digest).thenApply(Noise::text);
    }

    private static CompletableFuture<MessageDigest> fetchInto(
            TransportClient by, long stream, int chunk, MessageDigest digest) {
        CompletableFuture<MessageDigest> done = new CompletableFuture<>();
        by.fetchChunk(stream, chunk, new ChunkReceivedCallback() {
            @Override
            public void onSuccess(int index, ManagedBuffer buffer) {
                try {
                    digest.update(buffer.nioByteBuffer());
                    done.complete(digest);
                } catch (IOException e) {
                    done.completeExceptionally(e);
                }
            }

            @Override
            public void onFailure(int index, Throwable cause) {
                done.completeExceptionally(cause);
            }
        });
        return done;
    }

    /** Fetches chunks, and checks only their length. */
    private void chunksOnly() throws Exception {
        Semaphore room = new Semaphore(ON_THEIR_WAY);
        AtomicLong left = new AtomicLong(size);
        for (int i = 1; i <= size / CHUNK; i++) {
            room.acquire();
            // Each chunk has a number of its own, by which Spark tells the answers apart.
            client.fetchChunk(CHUNK, -i, new ChunkReceivedCallback() {
                @Override
                public void onSuccess(int index, ManagedBuffer buffer) {
                    left.addAndGet(-buffer.size());
                    room.release();
                }

                @Override
                public void onFailure(int index, Throwable cause) {
                    room.release();
                }
            });
        }
        room.acquire(ON_THEIR_WAY);
        Checks.same(0L, left.get());
    }

    private void fileChunks() throws Exception {
        MessageDigest digest = Noise.sha256();
        long length = arguments.size("filesize");
        for (int i = 0; (long) i * SparkServer.FILE_CHUNK < length; i++) {
            Checks.same(digest, fetchInto(client, SparkServer.FILE, i, digest).get());
        }
        Checks.same(arguments.text("sha256"), Noise.text(digest));
        checks.received(length);
    }

    private void stream() throws Exception {
        MessageDigest digest = Noise.sha256();
        CompletableFuture<Void> done = new CompletableFuture<>();
        client.stream("file", new StreamCallback() {
            @Override
            public void onData(String id, ByteBuffer data) {
                digest.update(data);
            }

            @Override
            public void onComplete(String id) {
                done.complete(null);
            }

            @Override
            public void onFailure(String id, Throwable cause) {
                done.completeExceptionally(cause);
            }
        });
        done.get();
        Checks.same(arguments.text("sha256"), Noise.text(digest));
        checks.received(arguments.size("filesize"));
    }

    private void uploads() throws Exception {
        for (int i = 0; i < size / UPLOAD; i++) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            client.uploadStream(
                    new NioManagedBuffer(SparkServer.noise(0, 1)),
                    new NioManagedBuffer(SparkServer.noise(i, UPLOAD)),
                    new RpcResponseCallback() {
                        @Override
                        public void onSuccess(ByteBuffer digest) {
                            answer.complete(
                                    StandardCharsets.US_ASCII.decode(digest).toString());
                        }

                        @Override
                        public void onFailure(Throwable cause) {
                            answer.completeExceptionally(cause);
                        }
                    });
            Checks.same(Noise.digest(i, UPLOAD), answer.get());
            checks.sent(UPLOAD);
        }
    }

    private void many() throws Exception {
        int length = CHUNK / CLIENTS;
        List<TransportClient> opened = new ArrayList<>();
        List<CompletableFuture<String>> digests = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            opened.add(open());
        }
        for (int i = 0; i < REQUESTS; i++) {
            digests.add(fetch(opened.get(i % CLIENTS), length, i, Noise.sha256()));
        }
        for (int i = 0; i < REQUESTS; i++) {
            Checks.same(Noise.digest(i, length), digests.get(i).get());
            checks.received(length);
        }
        opened.forEach(TransportClient::close);
    }

    /** Fetches chunks, and then waits for the answer to each of some requests. */
    private void measure() throws Exception {
        Figures.warmUp(this::chunksOnly);
        Figures bulk = new Figures();
        bulk.printBytes(bulk.repeat(this::chunksOnly) * size);
        Figures.warmUp(() -> request(1, MEASURED_LENGTH));
        Figures alone = new Figures();
        alone.repeatOften(() -> request(1, MEASURED_LENGTH));
        alone.printDelay();
    }
}
