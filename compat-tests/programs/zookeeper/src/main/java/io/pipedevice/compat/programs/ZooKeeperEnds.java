// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/** Sessions with an ensemble of ZooKeeper. */
final class ZooKeeperEnds {
    private static final Logger LOGGER = Logger.getLogger("org.apache.zookeeper");

    private static final int SESSION_TIMEOUT_MS = 30_000;

    private ZooKeeperEnds() {}

    /** It warns about each server that does not answer, and about each connection that it closes. */
    static void warnOfNothing() {
        LOGGER.setLevel(Level.SEVERE);
    }

    /** Opens a session with one of the named servers, and waits until it is established. */
    static ZooKeeper open(String servers) throws IOException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper session = new ZooKeeper(
                servers,
                SESSION_TIMEOUT_MS,
                event -> {
                    if (event.getState() == KeeperState.SyncConnected) {
                        connected.countDown();
                    }
                },
                new ZKClientConfig());
        connected.await();
        return session;
    }

    static void make(ZooKeeper session, String path, byte[] data) throws Exception {
        Checks.same(path, session.create(path, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
    }
}
