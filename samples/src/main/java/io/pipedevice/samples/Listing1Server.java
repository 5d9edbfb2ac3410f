// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdListener;
import io.pipedevice.lib.PdNetwork;
import io.pipedevice.lib.PipeDevice;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.zip.CRC32C;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The server of Listing 1: accepts one connection, and reads its data in place, without a copy. */
@Command(name = "server", description = "Receive from one client, and compare the checksum with the client's.")
final class Listing1Server implements Callable<Integer> {
    private static final int BACKLOG = 1;

    @Option(names = "--dir", paramLabel = "DIR", description = Transfer.DIRECTORY)
    private Path directory;

    @Option(
            names = "--port",
            defaultValue = "9000",
            paramLabel = "PORT",
            description = "Port to listen on, 0 for any that is free (default: ${DEFAULT-VALUE}).")
    private int port;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try (PdNetwork network = Transfer.network(directory)) {
            PdListener listener =
                    network.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
            out.println("server: listens on port " + listener.localAddress().getPort());
            out.flush();

            PdConnection accepted = listener.accept(PipeDevice.FOREVER);
            PdBuffer recvBuf = new PdBuffer();
            CRC32C checksum = new CRC32C();
            long start = System.nanoTime();
            long bytes = Transfer.receiveNumber(accepted, recvBuf);
            for (long left = bytes; left > 0; ) {
                int length = Transfer.receive(accepted, left, recvBuf);
                checksum.update(recvBuf.asByteBuffer());
                accepted.recvDone(length);
                left -= length;
            }
            long nanos = System.nanoTime() - start;
            long sent = Transfer.receiveNumber(accepted, recvBuf);
            accepted.close();
            listener.close();

            out.println(Transfer.summary("server", bytes, nanos, checksum.getValue()));
            if (checksum.getValue() != sent) {
                throw new IOException(String.format(Locale.ROOT, "checksum differs: the client's is %08x", sent));
            }
            out.println("server: the checksum is the client's");
        }
        return 0;
    }
}
