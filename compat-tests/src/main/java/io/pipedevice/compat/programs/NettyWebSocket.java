// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import java.io.EOFException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Sends messages in fragments of random sizes through a WebSocket of Netty, each with a ping between them, and expects
 * a pong and the message before it sends the next.
 */
final class NettyWebSocket extends SimpleChannelInboundHandler<WebSocketFrame> {
    private static final int MESSAGES = 40;
    private static final int MAX_MESSAGE = 8 << 20;
    private static final int MAX_PING = 125;
    private static final int MAX_ANSWER = 1 << 13;

    private final SplittableRandom sizes = new SplittableRandom(MESSAGES);
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();

    /** A message that has arrived in full, or another frame. */
    private record Answer(Class<?> type, ByteBuffer content) {}

    /** Creates a pipeline that ends with this. */
    void addTo(ChannelPipeline pipeline, URI uri) {
        WebSocketClientProtocolConfig config = WebSocketClientProtocolConfig.newBuilder()
                .webSocketUri(uri)
                .maxFramePayloadLength(NettyServer.MAX_FRAME)
                .dropPongFrames(false)
                .handleCloseFrames(false)
                .build();
        pipeline.addLast(
                new HttpClientCodec(),
                new HttpObjectAggregator(MAX_ANSWER),
                new WebSocketClientProtocolHandler(config),
                new WebSocketFrameAggregator(MAX_MESSAGE),
                this);
    }

    void converse(Channel channel, Checks checks) throws Exception {
        opened.get();
        for (int i = 0; i < MESSAGES; i++) {
            byte[] message = message(i);
            send(channel, message);
            expect(PongWebSocketFrame.class, ping(message));
            expect(BinaryWebSocketFrame.class, message);
            checks.sent(message.length);
            checks.received(message.length);
        }
        CloseWebSocketFrame close = new CloseWebSocketFrame(WebSocketCloseStatus.NORMAL_CLOSURE);
        byte[] status = ByteBufUtil.getBytes(close.content());
        write(channel, close);
        expect(CloseWebSocketFrame.class, status);
        // The server closes it on request.
        channel.closeFuture().sync();
    }

    /** A message of 0 bytes to 4 MB. */
    private static byte[] message(int i) throws Exception {
        try (Noise noise = new Noise(i, 2L * i * i * i * i)) {
            return noise.readAllBytes();
        }
    }

    private static byte[] ping(byte[] message) {
        return Arrays.copyOf(message, Math.min(message.length, MAX_PING));
    }

    /** The ping comes before the last fragment. */
    private void send(Channel channel, byte[] message) {
        int from = 0;
        boolean last;
        do {
            int to = Math.min(message.length, from + 1 + sizes.nextInt(NettyServer.MAX_FRAME));
            last = to == message.length;
            if (last) {
                write(channel, new PingWebSocketFrame(Unpooled.wrappedBuffer(ping(message))));
            }
            byte[] part = Arrays.copyOfRange(message, from, to);
            write(
                    channel,
                    from == 0
                            ? new BinaryWebSocketFrame(last, 0, Unpooled.wrappedBuffer(part))
                            : new ContinuationWebSocketFrame(last, 0, Unpooled.wrappedBuffer(part)));
            from = to;
        } while (!last);
    }

    private static void write(Channel channel, WebSocketFrame frame) {
        channel.writeAndFlush(frame).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    private void expect(Class<?> type, byte[] content) throws InterruptedException {
        Checks.same(new Answer(type, ByteBuffer.wrap(content)), answers.take());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
            opened.complete(null);
        } else if (event == ChannelInputShutdownEvent.INSTANCE) {
            context.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
        answers.add(new Answer(frame.getClass(), ByteBuffer.wrap(ByteBufUtil.getBytes(frame.content()))));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        exceptionCaught(context, new EOFException());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        opened.completeExceptionally(cause);
        // If anything else is expected, this shows what arrived instead.
        answers.add(new Answer(cause.getClass(), ByteBuffer.allocate(0)));
    }
}
