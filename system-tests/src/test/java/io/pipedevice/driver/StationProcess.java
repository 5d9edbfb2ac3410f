// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.jdk.Literals;
import io.pipedevice.linux.Errno;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A process in any namespace in which a test starts it. Argument: the driver's directory. Prints STARTED, and then
 * SAID and the result of each line: {@code attach}: READY; {@code listen ADDRESS PORT}: LISTENS;
 * {@code connect ADDRESS PORT}: the local address; {@code from SOURCE ADDRESS PORT}: the same from a chosen address;
 * {@code accept PORT}: the peer's address; or the errno.
 */
final class StationProcess {
    private static final int RING = 4096;

    private final Map<Integer, RawSocket> listeners = new HashMap<>();
    private final Path directory;
    private RawClient client;

    private StationProcess(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] arguments) throws IOException {
        StationProcess station = new StationProcess(Path.of(arguments[0]));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("STARTED");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            try {
                System.out.println(station.obey(line.split(" ", -1)));
            } catch (RawException e) {
                System.out.println("SAID " + Errno.name(e.errno));
            }
        }
    }

    @SuppressWarnings("RefactorSwitch")
    private String obey(String[] words) throws IOException {
        switch (words[0]) {
            case "attach" -> {
                client = RawClient.attach(TestDriver.endpoint(directory));
                return "SAID READY";
            }
            case "listen" -> {
                InetSocketAddress address = address(words[1], words[2]);
                listeners.put(address.getPort(), client.listen(address, 4, RING));
                return "SAID LISTENS";
            }
            case "connect" -> {
                return connect(client.socket(), address(words[1], words[2]));
            }
            case "from" -> {
                RawSocket socket = client.socket();
                socket.bind(address(words[1], "0"));
                return connect(socket, address(words[2], words[3]));
            }
            default -> {
                RawSocket socket = listeners.get(Integer.parseInt(words[1])).accept(RING);
                return "SAID " + socket.peer.getAddress().getHostAddress();
            }
        }
    }

    private static String connect(RawSocket socket, InetSocketAddress to) throws IOException {
        try {
            socket.connect(to, RING, RING);
        } catch (RawException e) {
            socket.close();
            throw e;
        }
        return "SAID " + socket.local.getAddress().getHostAddress();
    }

    private static InetSocketAddress address(String host, String port) {
        return new InetSocketAddress(Literals.address(host), Integer.parseInt(port));
    }
}
