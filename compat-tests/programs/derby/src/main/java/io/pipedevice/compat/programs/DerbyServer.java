// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.sql.DriverManager;
import java.util.concurrent.TimeUnit;
import org.apache.derby.drda.NetworkServerControl;

/** Derby as a network server at a {@code port}, with a database in memory. */
final class DerbyServer {
    private static final int PAUSE_MS = 50;
    private static final String DATABASE = "memory:test";

    private DerbyServer() {}

    static String url(int port) {
        return "jdbc:derby://127.0.0.1:" + port + "/" + DATABASE;
    }

    public static void main(String[] args) throws Exception {
        int port = new Arguments(args).number("port");
        System.setProperty("derby.stream.error.field", "java.lang.System.err");
        DriverManager.getConnection("jdbc:derby:" + DATABASE + ";create=true").close();
        NetworkServerControl server = new NetworkServerControl(InetAddress.getLoopbackAddress(), port);
        StringWriter log = new StringWriter();
        server.start(new PrintWriter(log));
        // Its first line has the port, in any language. A ping would be a connection of the server with itself.
        while (!log.toString().contains(Integer.toString(port))) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
        Console.ready("port=" + port);
        Console.awaitEnd();
        server.shutdown();
        System.exit(0);
    }
}
