// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.util.Arrays;

/** A member of a cluster: takes its {@code port}, and the {@code members} of the cluster. Each entry has one backup. */
final class HazelcastMember {
    private HazelcastMember() {}

    public static void main(String[] args) throws IOException {
        HazelcastEnds.warnOfNothing();
        Arguments arguments = new Arguments(args);
        Config config = new Config()
                .setProperty("hazelcast.phone.home.enabled", "false")
                .setProperty("hazelcast.operation.fail.on.indeterminate.state", "true");
        config.getJetConfig().setEnabled(false);
        config.getMapConfig("default").setBackupCount(1);
        config.getRingbufferConfig("default").setBackupCount(1);
        NetworkConfig network =
                config.getNetworkConfig().setPort(arguments.number("port")).setPortAutoIncrement(false);
        network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = network.getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getTcpIpConfig()
                .setEnabled(true)
                .setMembers(Arrays.asList(arguments.text("members").split(",", -1)));
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        Console.ready();
        Console.awaitEnd();
        member.shutdown();
        System.exit(0);
    }
}
