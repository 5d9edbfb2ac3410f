// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.FileNotFoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls a remote object, and is called back. Takes the registry's {@code port}; with {@code measure} it only measures.
 */
final class RmiClient {
    private static final int CALLS = 300;
    private static final int MAX_LENGTH = 1 << 20;
    private static final double STEEPNESS = 8;
    private static final int THREADS = 20;
    private static final int CALLS_OF_EACH = 20;
    private static final int CALLS_BACK = 20;
    private static final int MEASURED_LENGTH = 100;

    private final RmiEcho remote;
    private final Checks checks;

    private RmiClient(RmiEcho remote, Checks checks) {
        this.remote = remote;
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        RmiEcho remote = (RmiEcho) LocateRegistry.getRegistry(arguments.host(), arguments.number("port"))
                .lookup(RmiEcho.NAME);
        RmiClient client = new RmiClient(remote, checks);
        if (arguments.has("measure")) {
            checks.run("measure", client::measure);
        } else {
            checks.run("calls with messages of all sizes", client::calls);
            checks.run("calls of many threads", client::many);
            checks.run("calls back", client::callsBack);
            checks.run("exceptions", client::exceptions);
        }
        checks.end();
    }

    private void calls() throws RemoteException {
        for (int i = 0; i < CALLS; i++) {
            // Most are small, and the last is the largest.
            echo(i, (int) (MAX_LENGTH * Math.pow((double) i / CALLS, STEEPNESS)));
        }
        echo(CALLS, MAX_LENGTH);
    }

    private void echo(int seed, int length) throws RemoteException {
        echo(Noise.bytes(seed, length));
    }

    private void echo(byte[] message) throws RemoteException {
        if (!Arrays.equals(message, remote.echo(message))) {
            throw new AssertionError("a message of " + message.length + " bytes came back changed");
        }
        checks.sent(message.length);
        checks.received(message.length);
    }

    /** Each thread that calls at the same time as others has a connection of its own. */
    private void many() throws Exception {
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                int seed = i;
                all.add(threads.submit(() -> {
                    for (int call = 0; call < CALLS_OF_EACH; call++) {
                        echo(seed, 1 + call * 997);
                    }
                    return null;
                }));
            }
        }
        for (Future<?> one : all) {
            one.get();
        }
    }

    private void callsBack() throws RemoteException {
        AtomicInteger next = new AtomicInteger();
        RmiEcho.Listener listener = (number, message) -> {
            Checks.same(next.getAndIncrement(), number);
            checks.received(message.length);
            return Noise.digest(message);
        };
        UnicastRemoteObject.exportObject(listener, 0);
        remote.callBack(listener, CALLS_BACK, MAX_LENGTH);
        Checks.same(CALLS_BACK, next.get());
        UnicastRemoteObject.unexportObject(listener, true);
    }

    private void exceptions() throws RemoteException {
        for (int i = 0; i < CALLS_OF_EACH; i++) {
            String message = "exception " + i;
            try {
                remote.fail(message);
                throw new AssertionError("no exception");
            } catch (FileNotFoundException e) {
                Checks.same(message, e.getMessage());
            }
        }
    }

    /** Calls, one after the other. */
    private void measure() throws Exception {
        byte[] message = Noise.bytes(1, MEASURED_LENGTH);
        Figures.warmUp(() -> echo(message));
        Figures figures = new Figures();
        figures.printOperations(figures.repeatOften(() -> echo(message)));
        figures.printDelay();
    }
}
