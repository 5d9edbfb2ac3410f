// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.linux.LazyLogger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The addresses of a name in a rule. They are looked up once, by a thread of their own: a look-up may take seconds, and
 * the thread that connects may serve other channels. Thread safe.
 */
final class HostLookup {
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");

    private final String name;

    /** Null before the first question; guarded by this object's monitor. */
    private CompletableFuture<Set<InetAddress>> answer;

    HostLookup(String name) {
        this.name = name;
    }

    /**
     * The addresses of the name.
     *
     * @param patienceNs how long to wait for them
     * @return none while they are not known, and if there are none
     */
    Set<InetAddress> addresses(long patienceNs) {
        CompletableFuture<Set<InetAddress>> asked = ask();
        if (patienceNs > 0 && !asked.isDone()) {
            try {
                return asked.get(patienceNs, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                LOG.get().log(System.Logger.Level.DEBUG, "{0} is not known yet: {1}", name, e);
            }
        }
        return asked.isCompletedExceptionally() ? Set.of() : asked.getNow(Set.of());
    }

    private synchronized CompletableFuture<Set<InetAddress>> ask() {
        if (answer == null) {
            answer = CompletableFuture.supplyAsync(
                    this::find, task -> Thread.ofVirtual().name("pd-name").start(task));
        }
        return answer;
    }

    private Set<InetAddress> find() {
        try {
            return Set.copyOf(List.of(InetAddress.getAllByName(name)));
        } catch (UnknownHostException | IllegalArgumentException e) {
            LOG.get()
                    .log(
                            System.Logger.Level.WARNING,
                            "{0} has no address: {1} is for connections that name it, and for no others",
                            name,
                            UnixRules.PROPERTY);
            return Set.of();
        }
    }
}
