// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The data that servers and clients of Reactor Netty send, and how they receive them. */
final class ReactorBytes {
    /** Each connection copies up to 128 of them into direct memory before any is written. */
    private static final int BLOCK = 1 << 13;

    private static final int READ_BEFORE_PAUSE = 4 << 20;
    private static final Duration PAUSE = Duration.ofMillis(2);

    private ReactorBytes() {}

    /** Blocks of noise, each of which is generated on demand. */
    static Flux<byte[]> noise(long seed, long length) {
        return noise(() -> new Noise(seed, length));
    }

    static Flux<byte[]> noiseOfPath(String path) {
        return noise(() -> Noise.ofPath(path));
    }

    private static Flux<byte[]> noise(Callable<Noise> source) {
        return Flux.generate(source, (noise, sink) -> {
            byte[] block = next(noise);
            if (block.length > 0) {
                sink.next(block);
            } else {
                sink.complete();
            }
            return noise;
        });
    }

    private static byte[] next(Noise noise) {
        try {
            return noise.readNBytes(BLOCK);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Mono<String> digest(Flux<byte[]> blocks) {
        return blocks.collect(Noise::sha256, MessageDigest::update).map(Noise::text);
    }

    /** Requests one block after the other, with pauses in which the other side has to wait. */
    static Flux<byte[]> slowly(Flux<byte[]> blocks) {
        AtomicLong untilPause = new AtomicLong(READ_BEFORE_PAUSE);
        return blocks.concatMap(
                block -> {
                    if (untilPause.addAndGet(-block.length) > 0) {
                        return Mono.just(block);
                    }
                    untilPause.set(READ_BEFORE_PAUSE);
                    return Mono.just(block).delayElement(PAUSE);
                },
                1);
    }

    /** Takes blocks until {@code length} bytes have arrived. */
    static Flux<byte[]> first(Flux<byte[]> blocks, long length) {
        AtomicLong left = new AtomicLong(length);
        return blocks.takeUntil(block -> left.addAndGet(-block.length) <= 0);
    }
}
