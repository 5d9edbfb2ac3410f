// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/** A broker of Artemis, which keeps its messages in memory. */
final class ArtemisBroker {
    private ArtemisBroker() {}

    public static void main(String[] args) throws Exception {
        Configuration configuration = new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .addAddressSetting("#", settings())
                .addAcceptorConfiguration("netty", "tcp://127.0.0.1:0");
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ().setConfiguration(configuration);
        broker.start();
        NettyAcceptor acceptor =
                (NettyAcceptor) broker.getActiveMQServer().getRemotingService().getAcceptor("netty");
        Console.ready("port=" + acceptor.getActualPort());
        Console.awaitEnd();
        broker.stop();
        System.exit(0);
    }

    /** What the broker would warn of if it was missing. */
    private static AddressSettings settings() {
        return new AddressSettings()
                .setDeadLetterAddress(SimpleString.of("dead"))
                .setExpiryAddress(SimpleString.of("expired"));
    }
}
