// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;

/** A server of Apache MINA SSHD, whose every command sends back what it receives. */
final class SshdServer {
    private SshdServer() {}

    public static void main(String[] args) throws Exception {
        SshServer server = SshServer.setUpDefaultServer();
        server.setHost("127.0.0.1");
        server.setPort(0);
        server.setKeyPairProvider(new SimpleGeneratorHostKeyProvider());
        server.setPasswordAuthenticator((user, password, session) -> true);
        CoreModuleProperties.TCP_NODELAY.set(server, true);
        server.setCommandFactory((channel, command) -> new SshdEcho());
        server.start();
        Console.ready("port=" + server.getPort());
        Console.awaitEnd();
        server.stop();
        System.exit(0);
    }
}
