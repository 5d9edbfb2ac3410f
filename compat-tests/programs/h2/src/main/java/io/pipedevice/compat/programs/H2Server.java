// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.sql.SQLException;
import org.h2.tools.Server;

/** H2 in its TCP mode, with databases in memory. Takes no arguments. */
final class H2Server {
    private H2Server() {}

    public static void main(String[] args) throws IOException, SQLException {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        Console.ready("port=" + server.getPort());
        Console.awaitEnd();
        server.stop();
        System.exit(0);
    }
}
