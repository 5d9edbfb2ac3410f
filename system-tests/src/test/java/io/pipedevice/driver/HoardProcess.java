// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that takes as much of a driver's resource as it can get. Arguments: the driver's directory, and the
 * resource. Prints HAS, the amount, and the reason for which it got no more, and keeps the resource until its input
 * ends.
 */
final class HoardProcess {
    private static final int RING = 4096;

    private HoardProcess() {}

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        List<RawClient> clients = new ArrayList<>();
        List<RawControl> controls = new ArrayList<>();
        String refused = "";
        int count = 0;
        try {
            while (arguments[1].equals("controls")) {
                controls.add(new RawControl(TestDriver.endpoint(directory).connect()));
                observe(controls.getLast());
                count++;
            }
            while (true) {
                clients.add(RawClient.attach(TestDriver.endpoint(directory), 64, 65_535));
                count++;
                switch (arguments[1]) {
                    case "attachments" -> {}
                    case "connections" -> count = connect(clients.getLast(), RING);
                    default -> count = connect(clients.getLast(), 4 << 20);
                }
            }
        } catch (Full e) {
            count = e.count;
            refused = e.getMessage();
        } catch (IOException e) {
            // A connection that is refused before any data were sent ends in this way, too.
            refused = e.getMessage();
        }
        System.out.println("HAS " + count + " " + refused);
        System.in.read();
        clients.forEach(RawClient::close);
        controls.forEach(RawControl::close);
    }

    /** Keeps a control connection open without an attachment. */
    private static void observe(RawControl control) throws IOException {
        control.request(ControlMessage.OBSERVE);
        control.call();
        control.fds.closeAll();
    }

    /** Thrown when no more of the resource is available. */
    private static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int count;

        Full(int count, RawException why) {
            super(why.getMessage());
            this.count = count;
        }
    }

    /** Connects to itself until a connection is refused. */
    private static int connect(RawClient client, int ring) throws IOException {
        RawSocket listener = client.listen(TestDriver.loopback(0), 4096, ring);
        client.addRegion(RING);
        for (int i = 0; ; i++) {
            client.request(ControlMessage.SOCKET);
            int sid = client.call().socketId();
            try {
                client.request(ControlMessage.CONNECT)
                        .socketId(sid)
                        .peerAddress(listener.local)
                        .sendRing(0, 0, RING)
                        .receiveRingSize(ring);
                client.receiveRing(client.call());
            } catch (RawException e) {
                throw new Full(i, e);
            }
        }
    }
}
