// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpChunkedInput;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.stream.ChunkedStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Answers {@code /echo}, {@code /digest} and {@code /noise}. */
final class NettyHttp extends SimpleChannelInboundHandler<HttpObject> {
    private static final int CHUNK = 1 << 16;

    private String path;
    private final MessageDigest digest = Noise.sha256();
    private ByteBuf body;

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (part instanceof HttpRequest request) {
            path = request.uri();
            body = Unpooled.buffer();
        }
        if (part instanceof HttpContent content) {
            if (path.equals("/digest")) {
                digest.update(content.content().nioBuffer());
            } else {
                body.writeBytes(content.content());
            }
        }
        if (part instanceof LastHttpContent) {
            answer(context);
        }
    }

    private void answer(ChannelHandlerContext context) {
        switch (path) {
            case "/echo" -> whole(context, body);
            case "/digest" -> whole(context, Unpooled.copiedBuffer(Noise.text(digest), StandardCharsets.US_ASCII));
            default -> noise(context);
        }
    }

    private static void whole(ChannelHandlerContext context, ByteBuf content) {
        HttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, content);
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
        context.writeAndFlush(response).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    private void noise(ChannelHandlerContext context) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, Noise.lengthIn(path));
        context.write(response).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
        context.writeAndFlush(new HttpChunkedInput(new ChunkedStream(Noise.ofPath(path), CHUNK)))
                .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }
}
