// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Response;

/**
 * Requests of several threads until the server stops. The server may refuse a request, but must complete each that it
 * has accepted.
 */
final class JettyLoad {
    private static final int THREADS = 8;
    private static final int BEFORE = 100;
    private static final long LENGTH = 200_000;
    private static final long TIMEOUT_S = 600;
    private static final int ACCEPTED = 200;

    private final HttpClient client;
    private final String uri;
    private final CountDownLatch warm = new CountDownLatch(BEFORE);
    private final AtomicInteger answered = new AtomicInteger();
    private final List<FutureTask<Void>> threads = new ArrayList<>();

    /** Before this is set there is no reason to refuse a request. */
    private volatile boolean serverMayStop;

    /** Starts the load, and waits until it is running. */
    JettyLoad(HttpClient client, String uri) throws InterruptedException {
        this.client = client;
        this.uri = uri;
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            FutureTask<Void> task = new FutureTask<>(() -> load(seed), null);
            threads.add(task);
            Thread.ofPlatform().daemon().name("load " + i).start(task);
        }
        warm.await();
    }

    private void load(int seed) {
        try {
            while (isAnswered(seed)) {
                answered.incrementAndGet();
                warm.countDown();
            }
        } finally {
            // After a failure, do not wait for more requests, which may not come.
            while (warm.getCount() > 0) {
                warm.countDown();
            }
        }
    }

    /** From now on requests may be refused. */
    void serverMayStop() {
        serverMayStop = true;
    }

    private boolean isAnswered(int seed) {
        InputStreamResponseListener listener = new InputStreamResponseListener();
        client.newRequest(uri + Noise.path(seed, LENGTH)).send(listener);
        try {
            Response response = listener.get(TIMEOUT_S, TimeUnit.SECONDS);
            if (response.getStatus() != ACCEPTED) {
                return refused(new IOException(response.toString()));
            }
        } catch (Exception e) {
            // Refused, or the connection was closed before it was answered.
            return refused(e);
        }
        try (InputStream body = listener.getInputStream()) {
            Checks.same(Noise.digest(seed, LENGTH), Noise.digest(body));
            return true;
        } catch (Exception e) {
            throw new AssertionError("cut short", e);
        }
    }

    private boolean refused(Exception why) {
        if (!serverMayStop) {
            throw new AssertionError("refused before the server stopped", why);
        }
        return false;
    }

    /** Waits until the server has refused all threads. */
    void awaitEnd() throws InterruptedException, ExecutionException {
        for (FutureTask<Void> thread : threads) {
            thread.get();
        }
        Checks.same(true, answered.get() >= BEFORE);
    }
}
