// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;

/** Drives one connection on Netty's event loop, until it receives the stop command. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is noticed
abstract class NettyClient extends ChannelInboundHandlerAdapter implements Job {
    private Channel channel;
    private volatile Throwable failure;

    /** Set before the event loop begins. */
    private Progress progress;

    void connectedOn(Channel its) {
        channel = its;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failure = cause;
        context.close();
    }

    /** Continues the traffic, on the event loop. */
    abstract void go();

    Channel channel() {
        return channel;
    }

    Progress progress() {
        return progress;
    }

    @Override
    public void run(Progress its) throws Exception {
        progress = its;
        channel.eventLoop().execute(this::go);
        channel.closeFuture().sync();
        if (failure != null) {
            throw new IOException(String.valueOf(failure), failure);
        }
        if (!its.isStopping()) {
            throw new IOException("the server ended the connection");
        }
    }

    @Override
    public void wake() {
        channel.eventLoop().execute(this::go);
    }
}
