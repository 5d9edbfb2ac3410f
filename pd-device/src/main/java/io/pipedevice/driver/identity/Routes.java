// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.identity;

import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.RouteNetlink;
import io.pipedevice.wait.OccasionalThread;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Decides which addresses of a process are valid for processes of other network namespaces. Any process can make a
 * namespace and give it any address. So an address is valid only if the driver's own namespace routes it to the
 * process's namespace, by a pair of interfaces ({@code veth}, {@code netkit}) whose other end is in the process's
 * namespace. The route leads to the pair directly, or to a bridge that reaches the address's link address through the
 * pair. Only root of the driver's namespace can set that up. The addresses of the driver's own namespace are always
 * valid.
 *
 * <p>A separate thread queries the kernel, because the kernel may delay such queries for as long as a process changes
 * interfaces. That thread ends after some idle time. The driver's thread waits for an answer only briefly, and for only
 * a small part of its time; without an answer the address is not valid. Everything but the queries belongs to the
 * driver's thread.
 */
public final class Routes implements AutoCloseable {
    private static final System.Logger LOG = new LazyLogger(Routes.class).get();

    /** Time after an answer in which the kernel is not queried again. */
    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(1);

    /** Time in which the kernel is not queried again about an address that it did not know. */
    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** How long an answer is valid if there is no newer one. */
    private static final long KEPT_NS = TimeUnit.SECONDS.toNanos(60);

    private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int WAIT_SHARE = 20;
    private static final int MAX_QUESTIONS = 64;
    private static final int MAX_ADDRESSES = 64;
    private static final int TRIES = 3;
    private static final long TRY_AGAIN_NS = TimeUnit.MICROSECONDS.toNanos(300);
    private static final Set<String> PAIRS = Set.of("veth", "netkit");
    private static final String BRIDGE = "bridge";
    private static final int LINK_ADDRESS_LENGTH = 6;

    private enum Answer {
        YES,
        NO,
        UNKNOWN
    }

    /** The results for a process's addresses. */
    static final class Known {
        private final Map<InetAddress, Lead> entries = new LinkedHashMap<>(4, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<InetAddress, Lead> eldest) {
                return size() > MAX_ADDRESSES;
            }
        };
    }

    private static final class Lead {
        Future<Answer> question;
        long askAgainAtNs = System.nanoTime();
        boolean leads;
        long answeredNs;
    }

    private final long here;
    private final DriverCounters counters;
    private final ThreadPoolExecutor thread;
    private long waitAgainAtNs = System.nanoTime();

    /**
     * Starts the query thread.
     *
     * @param counters of the driver
     * @throws IOException if the driver's own namespace cannot be read
     */
    public Routes(DriverCounters counters) throws IOException {
        this.counters = counters;
        this.here = ProcessFacts.networkNamespace(0);
        this.thread = OccasionalThread.create("pd-routes", new ArrayBlockingQueue<>(MAX_QUESTIONS));
        // Load the classes that queries need, so that the first query is answered in time.
        thread.execute(Routes::tryOut);
    }

    /**
     * Whether an address of the process's namespace leads there from other namespaces too.
     *
     * @param identity the process's
     * @param address one of its own
     * @return false also if the answer is not known yet
     */
    public boolean leadTo(Identity identity, InetAddress address) {
        if (address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        if (identity.networkNamespace() == here) {
            return true;
        }
        Lead entry = identity.routes().entries.computeIfAbsent(address, key -> new Lead());
        take(entry);
        if (entry.question == null && System.nanoTime() - entry.askAgainAtNs >= 0) {
            ask(entry, identity, address);
            await(entry);
            take(entry);
        }
        boolean leads = entry.leads && System.nanoTime() - entry.answeredNs < KEPT_NS;
        if (!leads) {
            counters.unrouted.add(1);
        }
        return leads;
    }

    private void ask(Lead entry, Identity identity, InetAddress address) {
        try {
            entry.question = thread.submit(() -> answer(identity, address));
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "too many route queries are pending");
        }
    }

    private void await(Lead entry) {
        long start = System.nanoTime();
        if (entry.question == null || start - waitAgainAtNs < 0) {
            return;
        }
        try {
            entry.question.get(WAIT_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, "no answer to a route query: {0}", e.toString());
        }
        long end = System.nanoTime();
        waitAgainAtNs = end + (end - start) * WAIT_SHARE;
    }

    private static void take(Lead entry) {
        if (entry.question == null || !entry.question.isDone()) {
            return;
        }
        Answer answer = entry.question.state() == Future.State.SUCCESS ? entry.question.resultNow() : Answer.UNKNOWN;
        long now = System.nanoTime();
        entry.question = null;
        entry.askAgainAtNs = now + AGAIN_NS;
        if (answer != Answer.UNKNOWN) {
            entry.askAgainAtNs = now + FRESH_NS;
            entry.leads = answer == Answer.YES;
            entry.answeredNs = now;
        }
    }

    private static void tryOut() {
        try (RouteNetlink kernel = RouteNetlink.open()) {
            kernel.route(InetAddress.getLoopbackAddress());
        } catch (LinuxException e) {
            LOG.log(
                    Level.WARNING,
                    "cannot query routes, so no address is valid in another namespace: {0}",
                    e.getMessage());
        }
    }

    /** Runs on the query thread. */
    private static Answer answer(Identity identity, InetAddress address) throws IOException {
        try (RouteNetlink kernel = RouteNetlink.open()) {
            for (int i = 0; i < TRIES; i++) {
                RouteNetlink.Route route = kernel.route(address);
                if (route == null) {
                    return Answer.NO;
                }
                Answer answer = follow(kernel, route, identity.pid());
                if (answer == Answer.YES) {
                    identity.checkUnchanged();
                }
                if (answer != Answer.UNKNOWN) {
                    return answer;
                }
                speakTo(route);
                LockSupport.parkNanos(TRY_AGAIN_NS << (2 * i));
            }
        }
        return Answer.UNKNOWN;
    }

    private static Answer follow(RouteNetlink kernel, RouteNetlink.Route route, int pid) throws LinuxException {
        RouteNetlink.Link link = kernel.link(route.link());
        if (link != null && link.kind().equals(BRIDGE)) {
            byte[] linkAddress = kernel.neighbour(route.link(), route.hop());
            if (linkAddress == null || linkAddress.length != LINK_ADDRESS_LENGTH) {
                return Answer.UNKNOWN;
            }
            int port = kernel.bridgePort(route.link(), linkAddress);
            if (port < 0) {
                return Answer.UNKNOWN;
            }
            link = kernel.link(port);
        }
        boolean leads = link != null
                && PAIRS.contains(link.kind())
                && link.namespace() >= 0
                && link.namespace() == kernel.namespace(pid);
        return leads ? Answer.YES : Answer.NO;
    }

    private static void speakTo(RouteNetlink.Route route) {
        try {
            RouteNetlink.speakTo(route);
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "cannot send to {0}: {1}", route.hop(), e.getMessage());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
