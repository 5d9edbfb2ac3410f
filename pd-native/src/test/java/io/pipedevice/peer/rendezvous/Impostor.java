// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A process of this user that listens at the name of a port of 127.0.0.1 without owning that TCP port. */
public final class Impostor {
    private static final int PATIENCE_MS = 10_000;
    private static final int BACKLOG = 8;

    private Impostor() {}

    /**
     * Starts the process, which has the name when this returns. For each line of input it prints HEARD, and whether a
     * peer has met it.
     */
    public static ChildJvm start(int port) throws IOException {
        ChildJvm child = ChildJvm.start(Impostor.class, Integer.toString(port));
        try {
            child.expect("LISTENS");
            return child;
        } catch (IOException e) {
            child.close();
            throw e;
        }
    }

    public static void main(String[] arguments) throws IOException {
        try (PeerNetwork network = new PeerNetwork(PATIENCE_MS);
                PeerListener listener =
                        network.listen(TestAddresses.loopback(Integer.parseInt(arguments[0])), BACKLOG)) {
            System.out.println("LISTENS");
            AtomicBoolean met = new AtomicBoolean();
            while (System.in.read() >= 0) {
                if (System.in.available() == 0) {
                    listener.forEachLink(link -> met.set(true));
                    System.out.println("HEARD " + met.get());
                }
            }
        }
    }
}
