// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import com.github.fppt.jedismock.RedisServer;
import java.io.IOException;
import java.net.InetAddress;

/** Jedis-Mock, a server of the protocol of Redis, with its values in memory. Takes no arguments. */
final class JedisServer {
    private JedisServer() {}

    public static void main(String[] args) throws IOException {
        RedisServer server =
                RedisServer.newRedisServer(0, InetAddress.getLoopbackAddress()).start();
        Console.ready("port=" + server.getBindPort());
        Console.awaitEnd();
        server.stop();
        System.exit(0);
    }
}
