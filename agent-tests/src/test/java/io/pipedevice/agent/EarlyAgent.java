// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.ServerSocket;
import java.net.SocketImpl;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;

/**
 * An agent that opens a channel before the program begins, as agents do that serve metrics by HTTP. Its options:
 * "socket" opens a server socket of java.net instead, "transform" has the class of java.net's sockets transformed
 * again.
 */
public final class EarlyAgent {
    /** Stays open as long as the JVM lives. */
    static ServerSocket open;

    private EarlyAgent() {}

    /** Called by the JVM. */
    public static void premain(String options, Instrumentation instrumentation) throws Exception {
        if ("socket".equals(options)) {
            open = new ServerSocket(0);
        } else if ("transform".equals(options)) {
            instrumentation.retransformClasses(SocketImpl.class);
        } else {
            ServerSocketChannel.open().close();
        }
    }

    /** The flag that loads it, from a jar that this method creates in a directory. */
    static String flag(Path directory) throws IOException {
        return "-javaagent:" + ProgramJar.writeAgent(directory.resolve("early.jar"), EarlyAgent.class);
    }
}
