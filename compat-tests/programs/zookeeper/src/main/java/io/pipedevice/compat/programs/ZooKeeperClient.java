// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback.StringCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Works with an ensemble of ZooKeeper: takes {@code servers}, and a {@code name} for the node under which it does so;
 * with {@code measure} it only measures.
 */
final class ZooKeeperClient {
    private static final int NODES = 200;

    /** A little less than a server accepts. */
    private static final int MAX_DATA = 1_000_000;

    private static final int LARGE = 8;
    private static final int REQUESTS = 2000;
    private static final int SESSIONS = 20;

    private final String servers;
    private final String root;
    private final Checks checks;
    private ZooKeeper session;

    private ZooKeeperClient(Arguments arguments, Checks checks) {
        servers = arguments.text("servers");
        root = "/" + arguments.text("name");
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        ZooKeeperEnds.warnOfNothing();
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        ZooKeeperClient client = new ZooKeeperClient(arguments, checks);
        checks.run("session", client::open);
        if (arguments.has("measure")) {
            checks.run("measure", client::measure);
        } else {
            checks.run("nodes with data", client::data);
            checks.run("requests in order", client::requests);
            checks.run("watches", client::watches);
            checks.run("sessions that end", client::sessions);
        }
        client.session.close();
        checks.end();
    }

    private void open() throws Exception {
        session = ZooKeeperEnds.open(servers);
        ZooKeeperEnds.make(session, root, new byte[0]);
    }

    private void data() throws Exception {
        for (int i = 0; i < NODES; i++) {
            write("small" + i, i, i);
        }
        for (int i = 0; i < LARGE; i++) {
            write("large" + i, i, MAX_DATA - i);
        }
        for (int i = 0; i < NODES; i++) {
            read("small" + i, i, i);
        }
        for (int i = 0; i < LARGE; i++) {
            read("large" + i, i, MAX_DATA - i);
        }
        Checks.same(NODES + LARGE, session.getChildren(root, false).size());
    }

    private void write(String name, int seed, int length) throws Exception {
        ZooKeeperEnds.make(session, root + "/" + name, Noise.bytes(seed, length));
        checks.sent(length);
    }

    private void read(String name, int seed, int length) throws Exception {
        if (!Arrays.equals(Noise.bytes(seed, length), session.getData(root + "/" + name, false, new Stat()))) {
            throw new AssertionError(name + " came back changed");
        }
        checks.received(length);
    }

    /** Sends many asynchronous requests: the answers arrive in the same order. */
    private void requests() throws Exception {
        String parent = root + "/queue";
        ZooKeeperEnds.make(session, parent, new byte[0]);
        List<CompletableFuture<String>> made = new ArrayList<>();
        StringCallback callback = (code, path, context, name) -> {
            if (code == Code.OK.intValue()) {
                made.get((int) context).complete(name);
            } else {
                made.get((int) context).completeExceptionally(new AssertionError(Code.get(code)));
            }
        };
        for (int i = 0; i < REQUESTS; i++) {
            made.add(new CompletableFuture<>());
        }
        for (int i = 0; i < REQUESTS; i++) {
            session.create(
                    parent + "/",
                    Noise.bytes(i, i),
                    Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT_SEQUENTIAL,
                    callback,
                    i);
            checks.sent(i);
        }
        for (int i = 0; i < REQUESTS; i++) {
            Checks.same(
                    String.format(Locale.ROOT, "%s/%010d", parent, i),
                    made.get(i).get());
        }
    }

    /** One session is notified of changes that another makes. */
    @SuppressWarnings("try") // close may be interrupted
    private void watches() throws Exception {
        String parent = root + "/watched";
        ZooKeeperEnds.make(session, parent, new byte[0]);
        BlockingQueue<WatchedEvent> events = new LinkedBlockingQueue<>();
        try (ZooKeeper other = ZooKeeperEnds.open(servers)) {
            other.addWatch(parent, events::add, AddWatchMode.PERSISTENT_RECURSIVE);
            for (int i = 0; i < NODES; i++) {
                String path = parent + "/" + i;
                ZooKeeperEnds.make(session, path, new byte[0]);
                expectEvent(events, EventType.NodeCreated, path);
                session.setData(path, Noise.bytes(i, i), 0);
                expectEvent(events, EventType.NodeDataChanged, path);
                session.delete(path, 1);
                expectEvent(events, EventType.NodeDeleted, path);
            }
        }
    }

    private static void expectEvent(BlockingQueue<WatchedEvent> events, EventType type, String path)
            throws InterruptedException {
        WatchedEvent event = events.take();
        Checks.same(type, event.getType());
        Checks.same(path, event.getPath());
    }

    /** The end of a session removes its ephemeral nodes. */
    private void sessions() throws Exception {
        String parent = root + "/present";
        ZooKeeperEnds.make(session, parent, new byte[0]);
        List<ZooKeeper> sessions = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            ZooKeeper one = ZooKeeperEnds.open(servers);
            sessions.add(one);
            one.create(parent + "/" + i, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        }
        session.sync(parent);
        Checks.same(SESSIONS, session.getChildren(parent, false).size());
        for (ZooKeeper one : sessions) {
            one.close();
        }
        session.sync(parent);
        Checks.same(0, session.getChildren(parent, false).size());
    }

    /** Reads, one after the other: nothing but a round trip. */
    private void measure() throws Exception {
        write("measured", 1, NODES);
        byte[] expected = Noise.bytes(1, NODES);
        Figures.warmUp(() -> readAgain(expected));
        Figures figures = new Figures();
        figures.printOperations(figures.repeatOften(() -> readAgain(expected)));
        figures.printDelay();
    }

    private void readAgain(byte[] expected) throws Exception {
        if (!Arrays.equals(expected, session.getData(root + "/measured", false, new Stat()))) {
            throw new AssertionError("came back changed");
        }
        checks.received(expected.length);
    }
}
