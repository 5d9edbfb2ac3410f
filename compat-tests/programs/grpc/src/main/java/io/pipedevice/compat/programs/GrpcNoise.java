// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.grpc.stub.CallStreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;

/**
 * Sends noise in messages of random sizes whenever the call is ready for more, and then ends it. State belongs to the
 * call.
 */
final class GrpcNoise implements Runnable {
    private static final int MAX_SIZE = 1 << 18;

    private final Noise noise;
    private final SplittableRandom sizes;
    private final CallStreamObserver<byte[]> call;
    private long left;
    private boolean ended;

    GrpcNoise(Noise noise, long size, CallStreamObserver<byte[]> call) {
        this.noise = noise;
        this.sizes = new SplittableRandom(size);
        this.call = call;
        this.left = size;
    }

    @Override
    public void run() {
        while (left > 0 && call.isReady()) {
            byte[] message = next();
            left -= message.length;
            call.onNext(message);
        }
        if (left == 0 && !ended) {
            ended = true;
            call.onCompleted();
        }
    }

    private byte[] next() {
        try {
            return noise.readNBytes((int) Math.min(left, 1 + sizes.nextInt(MAX_SIZE)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
