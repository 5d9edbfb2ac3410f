// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import java.io.IOException;

/**
 * A process that makes links, and breaks the protocol on each. Arguments: the port of a server, and how many links.
 * Prints DONE at the end.
 */
final class NoisyPeer {
    private NoisyPeer() {}

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        int links = Integer.parseInt(arguments[1]);
        while (links > 0) {
            try (StrangeClient client = StrangeClient.connect(port)) {
                client.writeTooMuch();
                client.sendNonsense();
                links--;
            } catch (IOException e) {
                // The server has not yet noticed that earlier links are closed, and takes no further one.
                Thread.onSpinWait();
            }
        }
        System.out.println("DONE");
    }
}
