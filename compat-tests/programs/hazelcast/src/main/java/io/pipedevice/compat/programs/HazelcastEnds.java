// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import java.util.Arrays;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Clients of a cluster of Hazelcast. */
final class HazelcastEnds {
    private static final Logger LOGGER = Logger.getLogger("com.hazelcast");

    private HazelcastEnds() {}

    /** It warns of each connection that it loses, and of each call that it makes again. */
    static void warnOfNothing() {
        LOGGER.setLevel(Level.SEVERE);
    }

    /**
     * Connects to the {@code members}, whichever of them are there, as long as it takes. What a member's backup has not told
     * to have fails, instead of being done after five seconds all the same.
     */
    static HazelcastInstance connect(Arguments arguments) {
        ClientConfig config =
                new ClientConfig().setProperty("hazelcast.client.operation.fail.on.indeterminate.state", "true");
        config.getNetworkConfig()
                .setAddresses(Arrays.asList(arguments.text("members").split(",", -1)));
        return HazelcastClient.newHazelcastClient(config);
    }
}
