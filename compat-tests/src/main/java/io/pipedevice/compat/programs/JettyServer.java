// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;

/**
 * Jetty with HTTP/1.1 and HTTP/2, in the clear and through TLS. Takes {@code keystore}, {@code host}, an address,
 * unless that is the loopback, and {@code http.port} unless any port will do.
 */
final class JettyServer {
    private static final long STOP_TIMEOUT_MS = 30_000;

    private final Server server = new Server();

    private JettyServer() {}

    public static void main(String[] args) throws Exception {
        new JettyServer().run(new Arguments(args));
        System.exit(0);
    }

    private void run(Arguments arguments) throws Exception {
        HttpConfiguration plain = new HttpConfiguration();
        ServerConnector http =
                connector(arguments, new HttpConnectionFactory(plain), new HTTP2CServerConnectionFactory(plain));
        http.setPort(arguments.has("http.port") ? arguments.number("http.port") : 0);
        ServerConnector https = secure(arguments);
        JettyHandler handler = new JettyHandler();
        server.addEventListener(handler);
        // A graceful stop waits for the requests that are being answered.
        WebSocketUpgradeHandler webSocket = WebSocketUpgradeHandler.from(
                server,
                container -> container.addMapping("/websocket", (request, response, callback) -> new JettyEcho()));
        webSocket.setHandler(handler);
        server.setHandler(new GracefulHandler(webSocket));
        server.setStopTimeout(STOP_TIMEOUT_MS);
        server.start();
        Console.ready("http=" + http.getLocalPort(), "https=" + https.getLocalPort());
        Console.awaitEnd();
        server.stop();
    }

    private ServerConnector secure(Arguments arguments) throws Exception {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.addCustomizer(new SecureRequestCustomizer());
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStore(Tls.load(arguments));
        tls.setKeyStorePassword(Tls.password());
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol("http/1.1");
        return connector(
                arguments,
                new SslConnectionFactory(tls, alpn.getProtocol()),
                alpn,
                new HTTP2ServerConnectionFactory(configuration),
                new HttpConnectionFactory(configuration));
    }

    private ServerConnector connector(Arguments arguments, ConnectionFactory... protocols) {
        ServerConnector connector = new ServerConnector(server, protocols);
        connector.setHost(arguments.host());
        server.addConnector(connector);
        return connector;
    }
}
