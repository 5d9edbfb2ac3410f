// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.nio.file.Path;

/** The stacks by name. */
final class Stacks {
    private Stacks() {}

    /**
     * Finds a stack.
     *
     * @param name such as {@code nio}
     * @param scratch a directory for files of all processes of a run
     * @param server whether this process is the server
     * @param host the IPv4 address at which clients reach the server
     * @throws UnsupportedOperationException if it does not run here; the message gives the reason
     */
    static Stack of(String name, Path scratch, boolean server, String host) {
        return switch (name) {
            case "nio" -> new NioStack(new Sockets.Inet(host));
            case "unix" -> new NioStack(new Sockets.Unix(scratch));
            case "socket" -> new SocketStack(host);
            case "netty-nio", "netty-epoll", "netty-io_uring" -> NettyStack.of(name);
            case "aeron" -> new AeronStack(scratch.resolve("aeron"), server);
            default -> throw new IllegalArgumentException(name);
        };
    }
}
