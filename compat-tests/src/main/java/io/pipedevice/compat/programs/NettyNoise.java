// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Sends noise in bursts of random sizes as long as the channel is writable, and receives what comes back, with pauses
 * in which the other side has to wait. State belongs to the event loop.
 */
final class NettyNoise extends SimpleChannelInboundHandler<ByteBuf> {
    private static final int MAX_BURST = 8 << 20;
    private static final int READ_BEFORE_PAUSE = 4 << 20;
    private static final long PAUSE_MS = 2;
    private static final int MAX_TEXT = 100;

    private final long seed;
    private final Noise noise;
    private final SplittableRandom sizes;
    private final long expected;
    private final boolean halfClose;
    private final MessageDigest digest = Noise.sha256();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private final CompletableFuture<NettyNoise> done = new CompletableFuture<>();
    private long toSend;
    private long count;
    private long untilPause = READ_BEFORE_PAUSE;

    private NettyNoise(long seed, long size, long expected, boolean halfClose) {
        this.seed = seed;
        this.noise = new Noise(seed, size);
        this.sizes = new SplittableRandom(seed);
        this.toSend = size;
        this.expected = expected;
        this.halfClose = halfClose;
    }

    /** Sends {@code size} bytes, and receives as many. The connection stays open. */
    static NettyNoise echoed(long seed, long size) {
        return new NettyNoise(seed, size, size, false);
    }

    /** Sends {@code size} bytes, shuts its output down, and receives until the peer closes. */
    static NettyNoise answered(long seed, long size) {
        return new NettyNoise(seed, size, Long.MAX_VALUE, true);
    }

    /** Sends nothing, and receives until the peer closes. */
    static NettyNoise silent() {
        return new NettyNoise(0, 0, Long.MAX_VALUE, false);
    }

    /** Waits for the end; returns the digest of what was received. */
    String digest() throws Exception {
        return Noise.text(done.get().digest);
    }

    /** Waits for the end; returns the beginning of what was received. */
    String text() throws Exception {
        return done.get().text.toString(StandardCharsets.US_ASCII);
    }

    /** The handler may also be added to an existing connection. */
    @Override
    public void handlerAdded(ChannelHandlerContext context) throws IOException {
        if (context.channel().isActive()) {
            send(context);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws IOException {
        send(context);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws IOException {
        send(context);
    }

    private void send(ChannelHandlerContext context) throws IOException {
        while (toSend > 0 && context.channel().isWritable()) {
            int burst = (int) Math.min(toSend, 1 + sizes.nextLong(MAX_BURST));
            ByteBuf buffer = context.alloc().buffer(burst);
            while (buffer.readableBytes() < burst) {
                buffer.writeBytes(noise, burst - buffer.readableBytes());
            }
            toSend -= burst;
            // The write may change the writability, and so cause a nested call that sends the last burst.
            boolean last = toSend == 0;
            ChannelFuture written =
                    context.writeAndFlush(buffer).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
            if (last && halfClose) {
                written.addListener(future -> shutdownOutput(context));
            }
        }
    }

    private static void shutdownOutput(ChannelHandlerContext context) {
        ((SocketChannel) context.channel())
                .shutdownOutput()
                .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
        int length = message.readableBytes();
        digest.update(message.nioBuffer());
        while (message.isReadable() && text.size() < MAX_TEXT) {
            text.write(message.readByte());
        }
        count += length;
        untilPause -= length;
        if (count == expected) {
            done.complete(this);
        } else if (untilPause <= 0) {
            pause(context);
        }
    }

    private static void close(ChannelHandlerContext context) {
        context.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    /** The result of this task is ignored, because it cannot fail. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void pause(ChannelHandlerContext context) {
        untilPause = READ_BEFORE_PAUSE;
        context.channel().config().setAutoRead(false);
        context.executor()
                .schedule(() -> context.channel().config().setAutoRead(true), PAUSE_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws IOException {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            ended();
            close(context);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws IOException {
        ended();
    }

    private void ended() throws IOException {
        if (expected == Long.MAX_VALUE) {
            done.complete(this);
        } else {
            fail(new EOFException("after " + count + " of " + expected + " bytes"));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws IOException {
        fail(cause);
        close(context);
    }

    /** Data that are cut off must be correct as far as they arrived. */
    private void fail(Throwable why) throws IOException {
        boolean wrong = !done.isDone()
                && expected != Long.MAX_VALUE
                && !Noise.digest(seed, count).equals(Noise.text(digest));
        done.completeExceptionally(wrong ? new AssertionError("wrong within " + count + " bytes", why) : why);
    }
}
