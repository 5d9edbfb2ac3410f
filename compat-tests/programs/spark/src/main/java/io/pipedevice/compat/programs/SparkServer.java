// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/** Serves blocks as an executor of Spark does, from memory and from the {@code file}. */
final class SparkServer {
    /** The length of a chunk of the file, except for the last. */
    static final int FILE_CHUNK = 1 << 20;

    /**
     * The stream whose chunks are those of the file. The chunks of any other stream are noise, and its number is their
     * length.
     */
    static final long FILE = 0;

    private SparkServer() {}

    public static void main(String[] args) throws IOException {
        Arguments arguments = new Arguments(args);
        TransportConf settings = settings();
        try (TransportContext context =
                        new TransportContext(settings, new Handler(settings, new File(arguments.text("file"))));
                TransportServer server = context.createServer("127.0.0.1", 0, List.of())) {
            Console.ready("port=" + server.getPort());
            Console.awaitEnd();
        }
        System.exit(0);
    }

    static TransportConf settings() {
        return new TransportConf("shuffle", new MapConfigProvider(Map.of()));
    }

    static ByteBuffer noise(int seed, int length) {
        try (Noise noise = new Noise(seed, length)) {
            return ByteBuffer.wrap(noise.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Handler extends RpcHandler {
        private final StreamManager blocks;

        Handler(TransportConf settings, File file) {
            blocks = new Blocks(settings, file);
        }

        /** Answers a request with itself; its buffer may be overwritten when this returns. */
        @Override
        public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
            ByteBuffer copy = ByteBuffer.allocate(message.remaining());
            callback.onSuccess(copy.put(message).flip());
        }

        @Override
        public StreamCallbackWithID receiveStream(
                TransportClient client, ByteBuffer header, RpcResponseCallback callback) {
            return new Upload(callback);
        }

        @Override
        public StreamManager getStreamManager() {
            return blocks;
        }
    }

    private static final class Blocks extends StreamManager {
        private final TransportConf settings;
        private final File file;

        Blocks(TransportConf settings, File file) {
            this.settings = settings;
            this.file = file;
        }

        /** Chunks with negative numbers need no generation. */
        @Override
        public ManagedBuffer getChunk(long stream, int chunk) {
            if (stream == FILE) {
                long from = (long) chunk * FILE_CHUNK;
                return segment(from, Math.min(FILE_CHUNK, file.length() - from));
            }
            return new NioManagedBuffer(noise(Math.max(chunk, Noise.REPEATED), (int) stream));
        }

        @Override
        public ManagedBuffer openStream(String name) {
            return segment(0, file.length());
        }

        private ManagedBuffer segment(long from, long length) {
            return new FileSegmentManagedBuffer(settings, file, from, length);
        }
    }

    /** Answers with the digest of the uploaded data. State belongs to the connection. */
    private static final class Upload implements StreamCallbackWithID {
        private final MessageDigest digest = Noise.sha256();
        private final RpcResponseCallback callback;

        Upload(RpcResponseCallback callback) {
            this.callback = callback;
        }

        @Override
        public String getID() {
            return "upload";
        }

        @Override
        public void onData(String id, ByteBuffer data) {
            digest.update(data);
        }

        @Override
        public void onComplete(String id) {
            callback.onSuccess(ByteBuffer.wrap(Noise.text(digest).getBytes(StandardCharsets.US_ASCII)));
        }

        @Override
        public void onFailure(String id, Throwable cause) {
            callback.onFailure(cause);
        }
    }
}
