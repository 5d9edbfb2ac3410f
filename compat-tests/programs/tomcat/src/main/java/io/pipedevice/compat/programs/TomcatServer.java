// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.nio.file.Path;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;

/**
 * Tomcat, for HTTP/1.1 and HTTP/2. Takes {@code directory}, for its files, and {@code connector}: Nio for channels, Nio2
 * for asynchronous channels.
 */
final class TomcatServer {
    private static final int MAX_KEEP_ALIVE = -1;

    private TomcatServer() {}

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Path directory = Path.of(arguments.text("directory"));
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        Connector connector =
                new Connector("org.apache.coyote.http11.Http11" + arguments.text("connector") + "Protocol");
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxKeepAliveRequests", Integer.toString(MAX_KEEP_ALIVE));
        connector.addUpgradeProtocol(new Http2Protocol());
        tomcat.setConnector(connector);
        StandardContext context = (StandardContext) tomcat.addContext("", null);
        // Otherwise it would look for leaks of applications in the JDK's private fields.
        context.setClearReferencesThreadLocals(false);
        context.setClearReferencesRmiTargets(false);
        Wrapper servlet = Tomcat.addServlet(context, "all", new NoiseServlet());
        servlet.setAsyncSupported(true);
        servlet.addMapping("/*");
        tomcat.start();
        Console.ready("http=" + connector.getLocalPort());
        Console.awaitEnd();
        tomcat.stop();
        tomcat.destroy();
        System.exit(0);
    }
}
