// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Serves one connection on Netty's event loop, until the connection ends. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is noticed
abstract class NettyServer extends ChannelInboundHandlerAdapter implements Job.Server {
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final CompletableFuture<Progress> progress = new CompletableFuture<>();
    private Channel listener;

    void listensOn(Channel channel) {
        listener = channel;
    }

    @Override
    public String address() {
        return Integer.toString(((InetSocketAddress) listener.localAddress()).getPort());
    }

    /** Waits for the job's progress, because the event loop's first data may arrive before the job runs. */
    Progress progress() {
        return progress.join();
    }

    @Override
    public void run(Progress its) throws Exception {
        progress.complete(its);
        try {
            end.get();
        } catch (ExecutionException e) {
            throw new java.io.IOException(String.valueOf(e.getCause()), e);
        } finally {
            listener.close().sync();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end.complete(null);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        end.completeExceptionally(cause);
        context.close();
    }
}
