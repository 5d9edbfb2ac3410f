// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends the next message when the previous one is back. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is noticed
final class NettyPingPong extends NettyClient {
    private final ByteBuf message;
    private final int size;
    private long round;
    private long start;
    private int arrived;

    NettyPingPong(int size) {
        this.size = size;
        this.message = Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(size));
    }

    /** Begins; after a stop command, ends with the message that is under way. */
    @Override
    void go() {
        if (round == 0) {
            send();
        }
    }

    private void send() {
        arrived = 0;
        message.setLong(0, ++round);
        start = System.nanoTime();
        channel().writeAndFlush(message.retainedSlice(0, size), channel().voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object answer) throws IOException {
        ByteBuf in = (ByteBuf) answer;
        try {
            if (arrived == 0 && in.readableBytes() >= Long.BYTES && in.getLong(in.readerIndex()) != round) {
                throw new IOException("round " + round + " came back as " + in.getLong(in.readerIndex()));
            }
            arrived += in.readableBytes();
        } finally {
            in.release();
        }
        if (arrived >= size) {
            progress().latency(System.nanoTime() - start);
            progress().count(round);
            if (progress().isStopping()) {
                channel().close();
            } else {
                send();
            }
        }
    }
}
