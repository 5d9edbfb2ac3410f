// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Sends the messages of a call, and takes its answers, one at a time and with pauses in which the other side has to
 * wait. State belongs to the call.
 */
final class GrpcAnswer implements ClientResponseObserver<byte[], byte[]> {
    private static final int READ_BEFORE_PAUSE = 4 << 20;
    private static final long PAUSE_MS = 2;

    private final Function<ClientCallStreamObserver<byte[]>, Runnable> sender;
    private final MessageDigest digest = Noise.sha256();
    private final CompletableFuture<GrpcAnswer> some = new CompletableFuture<>();
    private final CompletableFuture<GrpcAnswer> done = new CompletableFuture<>();
    private ClientCallStreamObserver<byte[]> call;
    private byte[] last = {};
    private long untilPause = READ_BEFORE_PAUSE;

    private GrpcAnswer(Function<ClientCallStreamObserver<byte[]>, Runnable> sender) {
        this.sender = sender;
    }

    /** The answer to a call that sends noise. */
    static GrpcAnswer toNoise(long seed, long size) {
        return new GrpcAnswer(call -> new GrpcNoise(new Noise(seed, size), size, call));
    }

    /** The answer to a call that sends nothing but its first message. */
    static GrpcAnswer toRequest() {
        return new GrpcAnswer(call -> () -> {});
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<byte[]> started) {
        call = started;
        started.disableAutoRequestWithInitial(1);
        started.setOnReadyHandler(sender.apply(started));
    }

    @Override
    public void onNext(byte[] message) {
        last = message;
        digest.update(message);
        untilPause -= message.length;
        if (untilPause > 0) {
            call.request(1);
        } else {
            untilPause = READ_BEFORE_PAUSE;
            some.complete(this);
            CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS).execute(() -> call.request(1));
        }
    }

    @Override
    public void onError(Throwable cause) {
        some.completeExceptionally(cause);
        done.completeExceptionally(cause);
    }

    @Override
    public void onCompleted() {
        some.complete(this);
        done.complete(this);
    }

    /** Waits for some megabytes, and then cancels the call. */
    void giveUpAfterSome() throws Exception {
        some.get();
        call.cancel("enough", null);
    }

    /** Waits for the end; returns the digest of all that was received. */
    String digest() throws Exception {
        return Noise.text(done.get().digest);
    }

    /** Waits for the end; returns the last message that was received. */
    String text() throws Exception {
        return new String(done.get().last, StandardCharsets.US_ASCII);
    }
}
