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

    /** It warns about each connection that it loses, and about each call that it repeats. */
    static void warnOfNothing() {
        LOGGER.setLevel(Level.SEVERE);
    }

    /**
     * Connects to the {@code members} that are available, without a time limit. An operation that a backup has not
     * acknowledged fails, instead of succeeding after five seconds anyway.
     */
    static HazelcastInstance connect(Arguments arguments) {
        ClientConfig config =
                new ClientConfig().setProperty("hazelcast.client.operation.fail.on.indeterminate.state", "true");
        config.getNetworkConfig()
                .setAddresses(Arrays.asList(arguments.text("members").split(",", -1)));
        return HazelcastClient.newHazelcastClient(config);
    }
}
