// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The calls that the server answers: all take bytes and return bytes. */
final class GrpcCalls {
    static final String SERVICE = "compat";

    /** The maximum length of a message. */
    static final int MAX_MESSAGE = 16 << 20;

    /** Answers a message with the same one. */
    static final MethodDescriptor<byte[], byte[]> ECHO = call("echo", MethodType.UNARY);

    /** Takes messages, and answers with the digest of all of them. */
    static final MethodDescriptor<byte[], byte[]> DIGEST = call("digest", MethodType.CLIENT_STREAMING);

    /** Sends the noise for a path. */
    static final MethodDescriptor<byte[], byte[]> NOISE = call("noise", MethodType.SERVER_STREAMING);

    /** Answers each message with the same one. */
    static final MethodDescriptor<byte[], byte[]> ECHOES = call("echoes", MethodType.BIDI_STREAMING);

    /** Does not answer. */
    static final MethodDescriptor<byte[], byte[]> SILENCE = call("silence", MethodType.UNARY);

    /**
     * Answers a message with the same one when all calls of {@link #NOISE} and {@link #SILENCE} that arrived are done
     * or cancelled.
     */
    static final MethodDescriptor<byte[], byte[]> NONE_OPEN = call("none-open", MethodType.UNARY);

    private GrpcCalls() {}

    private static MethodDescriptor<byte[], byte[]> call(String name, MethodType type) {
        return MethodDescriptor.<byte[], byte[]>newBuilder(new Bytes(), new Bytes())
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setType(type)
                .build();
    }

    private static final class Bytes implements Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
