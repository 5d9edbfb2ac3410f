// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.client.DriverSocket;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** A process that tries the numbers of other processes' introductions. Argument: the driver's directory. */
final class TicketThief {
    private static final int MOST = 100;

    private TicketThief() {}

    public static void main(String[] arguments) throws IOException {
        int refused = 0;
        try (PipeDevice device = PipeDevice.init(DriverDirectory.at(Path.of(arguments[0])));
                DriverSocket socket = (DriverSocket) device.socket()) {
            for (int number = 1; number <= MOST; number++) {
                try {
                    socket.connectIntroduced(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), number);
                } catch (PdException e) {
                    refused += e.errno() == Errno.EACCES ? 1 : 0;
                }
            }
        }
        System.out.println("REFUSED " + (refused == MOST));
    }
}
