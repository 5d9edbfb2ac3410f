// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.KeeperException.ConnectionLossException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Counts in a node of an ensemble, while servers come and go. For each input line it counts on for some time, and
 * reports that. No count is lost or made twice, and another session, which reads the node when it is notified of a
 * change, sees the last.
 */
final class ZooKeeperSteady {
    private static final int MORE = 200;

    private final String path;

    /** Versions of the node as the other session has seen them, which never go back. */
    private final BlockingQueue<Integer> seen = new LinkedBlockingQueue<>();

    private int count;

    private ZooKeeperSteady(Arguments arguments) {
        path = "/" + arguments.text("name");
    }

    public static void main(String[] args) throws Exception {
        ZooKeeperEnds.warnOfNothing();
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        new ZooKeeperSteady(arguments).run(arguments.text("servers"), checks);
        checks.end();
    }

    @SuppressWarnings("try") // close may be interrupted
    private void run(String servers, Checks checks) throws Exception {
        try (ZooKeeper session = ZooKeeperEnds.open(servers);
                ZooKeeper other = ZooKeeperEnds.open(servers)) {
            ZooKeeperEnds.make(session, path, new byte[0]);
            other.addWatch(path, event -> look(other, event), AddWatchMode.PERSISTENT);
            Console.ready();
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null && !line.equals("stop"); line = lines.readLine()) {
                checks.run(line, () -> {
                    for (int i = 0; i < MORE; i++) {
                        count(session);
                    }
                    awaitSeen();
                });
                System.out.println("PROGRESS " + count);
            }
        }
    }

    /**
     * Reads the node at each change, and when the session has found another server, because it is not notified of
     * changes meanwhile.
     */
    private void look(ZooKeeper other, WatchedEvent event) {
        if (event.getState() == KeeperState.SyncConnected) {
            StatCallback callback = (code, name, context, stat) -> {
                // If the connection is lost again, it reads the node when it has the next one.
                if (code == Code.OK.intValue()) {
                    seen.add(stat.getVersion());
                }
            };
            other.exists(path, false, callback, null);
        }
    }

    private void awaitSeen() throws InterruptedException {
        int version;
        do {
            version = seen.take();
        } while (version < count);
        Checks.same(count, version);
    }

    /**
     * Makes the one change that the node's version allows. If the answer is lost, the version shows whether it was
     * made.
     */
    private void count(ZooKeeper session) throws Exception {
        while (true) {
            try {
                Stat stat = session.exists(path, false);
                if (stat.getVersion() == count + 1) {
                    break;
                }
                Checks.same(count, stat.getVersion());
                session.setData(path, Integer.toString(count + 1).getBytes(StandardCharsets.US_ASCII), count);
            } catch (ConnectionLossException | BadVersionException e) {
                // Try again: the session finds another server, or a change that seemed lost was made after all.
            }
        }
        count++;
    }
}
