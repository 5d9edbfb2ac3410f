// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import io.pipedevice.bench.WorkerProcess;
import io.pipedevice.bench.net.Site;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two network namespaces on a bridge of veth pairs; the bridge is in this process's namespace.
 *
 * <pre>
 *   server: eth0 10.79.0.2, 10.80.0.0/16     client: eth0 10.79.0.3, 10.80.0.0/16 via 10.79.0.2
 *                    \                           /
 *                  this namespace: bridge 10.79.0.1
 * </pre>
 *
 * No namespace has a name: each ends with the process that holds it, and that ends with its standard input, and so with
 * this process however it ends.
 */
public final class Bridge implements Site {
    private static final String SERVER = "10.79.0.2";
    private static final String CLIENT = "10.79.0.3";
    private static final String ALL_SERVERS = "10.80.0.0/16";

    /**
     * Holds a namespace. The usual congestion control, as in {@link io.pipedevice.bench.NetworkNamespace}; and ports
     * for as many short connections as possible, because a bridge is not loopback, where the kernel would use a port
     * again at once.
     */
    private static final String HOLD = "ip link set lo up; cd /proc/sys/net/ipv4;"
            + " for name in cubic reno; do (echo $name > tcp_congestion_control) 2>/dev/null && break; done;"
            + " echo '1024 65535' > ip_local_port_range; echo 1 > tcp_tw_reuse;"
            + " echo ready $(cat tcp_congestion_control); exec cat > /dev/null";

    /** $1 is the bridge, $2 and $3 are veth interfaces, $4 and $5 are the processes that hold server and client. */
    private static final String CONNECT = "ip link add $1 type bridge; ip address add 10.79.0.1/24 dev $1;"
            + " ip link set $1 up;"
            + " ip link add $2 type veth peer name eth0 netns $4; ip link set $2 master $1 up;"
            + " ip link add $3 type veth peer name eth0 netns $5; ip link set $3 master $1 up;"
            + " nsenter -t $4 -n sh -ec 'ip address add " + SERVER + "/24 dev eth0; ip link set eth0 up;"
            + "   ip route add local " + ALL_SERVERS + " dev lo';"
            + " nsenter -t $5 -n sh -ec 'ip address add " + CLIENT + "/24 dev eth0; ip link set eth0 up;"
            + "   ip route add " + ALL_SERVERS + " via " + SERVER + "'";

    private static final AtomicInteger MADE = new AtomicInteger();

    private final WorkerProcess server;
    private final WorkerProcess client;
    private final boolean together;
    private final String name;
    private final String congestionControl;

    private Bridge(
            WorkerProcess server, WorkerProcess client, boolean together, String name, String congestionControl) {
        this.server = server;
        this.client = client;
        this.together = together;
        this.name = name;
        this.congestionControl = congestionControl;
    }

    /**
     * Makes the namespaces.
     *
     * @param together whether clients run in the server's namespace
     */
    static Bridge make(boolean together) throws IOException, InterruptedException {
        String number = Integer.toString(MADE.incrementAndGet());
        WorkerProcess server = hold("server");
        WorkerProcess client = null;
        try {
            client = hold("client");
            String congestionControl = server.await("ready")[1];
            client.await("ready");
            String bridge = "bridge" + number;
            Shell.run(
                    CONNECT,
                    bridge,
                    "server" + number,
                    "client" + number,
                    Integer.toString(server.pid()),
                    Integer.toString(client.pid()));
            return new Bridge(server, client, together, bridge, congestionControl);
        } catch (IOException | InterruptedException e) {
            server.close();
            if (client != null) {
                client.close();
            }
            throw e;
        }
    }

    private static WorkerProcess hold(String whose) throws IOException {
        return WorkerProcess.start(whose + "'s namespace", List.of("unshare", "--net", "sh", "-ec", HOLD));
    }

    /**
     * Makes the namespaces to find out what they are.
     *
     * @return a description for a report
     * @throws IOException if they cannot be made
     * @throws InterruptedException if this thread is interrupted
     */
    public static String describe() throws IOException, InterruptedException {
        try (Bridge bridge = make(false)) {
            return "two namespaces on a bridge of veth pairs, no packet filter; TCP: congestion control "
                    + bridge.congestionControl + ", buffers tuned by the kernel";
        }
    }

    @Override
    public List<String> atServer() {
        return at(server);
    }

    @Override
    public List<String> atClient() {
        return at(together ? server : client);
    }

    private static List<String> at(WorkerProcess holder) {
        return List.of("nsenter", "-t", Integer.toString(holder.pid()), "-n", "--");
    }

    @Override
    public String host() {
        return SERVER;
    }

    @Override
    public String clientHost() {
        return together ? SERVER : CLIENT;
    }

    @Override
    public String hosts() {
        return ALL_SERVERS;
    }

    @Override
    public void check() {
        // There is no other way between the namespaces.
    }

    @Override
    public void close() {
        client.close();
        server.close();
        try {
            Shell.run("ip link delete $1", name);
        } catch (IOException e) {
            System.getLogger(Bridge.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot remove a bridge: {0}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
