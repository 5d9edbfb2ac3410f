// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.jdk.Literals;
import io.pipedevice.linux.NamespaceThread;
import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.net.InetAddress;

/**
 * Two network namespaces with a link between them: one for the clients of this JVM, one for its servers. The threads of
 * the tests are in neither, so that PipeDevice takes no address of them for its own. They last as long as the JVM.
 */
final class TwoNamespaces {
    static final InetAddress CLIENT = Literals.address("10.79.1.1");
    static final InetAddress SERVER = Literals.address("10.79.1.2");

    private static TwoNamespaces made;
    private static String failure;

    private final NamespaceThread clients;
    private final NamespaceThread servers;

    private TwoNamespaces() throws IOException {
        clients = new NamespaceThread("clients");
        servers = new NamespaceThread("servers");
        clients.run("ip link add eth0 type veth peer name eth0 netns " + servers.number() + "; "
                + up(CLIENT.getHostAddress()));
        servers.run(up(SERVER.getHostAddress()));
    }

    private static String up(String address) {
        return "ip address add " + address + "/24 dev eth0; ip link set eth0 up";
    }

    /** Why this JVM may have none; null if it has them. */
    static synchronized String whyNone() {
        if (ProcessFacts.effectiveUid() != 0) {
            return "only root may make network namespaces";
        }
        if (made == null && failure == null) {
            try {
                made = new TwoNamespaces();
            } catch (IOException e) {
                failure = e.toString();
            }
        }
        return failure;
    }

    static synchronized TwoNamespaces ofThisJvm() {
        String why = whyNone();
        if (why != null) {
            throw new IllegalStateException(why);
        }
        return made;
    }

    NamespaceThread clients() {
        return clients;
    }

    NamespaceThread servers() {
        return servers;
    }
}
