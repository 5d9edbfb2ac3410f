// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Round trips by a transport of Netty: one event loop, some connections, each with a message under way. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection, which ends the turn
final class NettyTrips implements Client {
    private final EventLoopGroup group;
    private final List<Trips> connections = new ArrayList<>();

    NettyTrips(NettyTransport transport, int port, int count) {
        group = transport.group();
        while (connections.size() < count) {
            Trips trips = new Trips();
            connections.add(trips);
            new Bootstrap()
                    .group(group)
                    .channel(transport.clients())
                    .option(ChannelOption.TCP_NODELAY, true)
                    .handler(trips)
                    .connect(Loopback.at(port))
                    .syncUninterruptibly();
        }
    }

    @Override
    public long run(long nanos) throws Exception {
        long end = System.nanoTime() + nanos;
        return Turns.sum(connections.stream().map(one -> one.begin(end)).toList());
    }

    @Override
    public void close() {
        group.shutdownGracefully();
    }

    /** One connection. The event loop has all fields but the context, which is set before the first turn. */
    private static final class Trips extends ChannelInboundHandlerAdapter {
        private final ByteBuf message = Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(ChannelEcho.SIZE));
        private volatile ChannelHandlerContext context;
        private CompletableFuture<Long> turn = CompletableFuture.completedFuture(0L);
        private long end;
        private long trips;
        private long round;
        private int arrived;

        @Override
        public void handlerAdded(ChannelHandlerContext its) {
            context = its;
        }

        CompletableFuture<Long> begin(long moment) {
            CompletableFuture<Long> next = new CompletableFuture<>();
            context.executor().execute(() -> {
                turn = next;
                end = moment;
                trips = 0;
                if (context.channel().isActive()) {
                    send();
                } else {
                    channelInactive(context);
                }
            });
            return next;
        }

        private void send() {
            arrived = 0;
            message.setLong(0, ++round);
            context.writeAndFlush(message.retainedSlice(0, ChannelEcho.SIZE), context.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext its, Object part) throws IOException {
            ByteBuf in = (ByteBuf) part;
            try {
                if (arrived == 0 && in.readableBytes() >= Long.BYTES && in.getLong(in.readerIndex()) != round) {
                    throw new IOException("round " + round + " came back as " + in.getLong(in.readerIndex()));
                }
                arrived += in.readableBytes();
            } finally {
                in.release();
            }
            if (arrived < ChannelEcho.SIZE) {
                return;
            }
            trips++;
            if (System.nanoTime() - end < 0) {
                send();
            } else {
                turn.complete(trips);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext its) {
            turn.completeExceptionally(new EOFException("the server ended the connection"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext its, Throwable cause) {
            turn.completeExceptionally(cause);
            its.close();
        }
    }
}
