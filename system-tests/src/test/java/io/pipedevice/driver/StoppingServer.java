// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.operation.ReturnPageDescriptor;
import io.pipedevice.active.operation.ServerLane;
import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.memory.LentRegion;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A process that serves a function, takes one call, and stops serving without returning it. Argument: the driver's
 * directory. Prints SERVES, and STOPS when it has asked the driver to stop; it ends with its input.
 */
final class StoppingServer {
    static final String FUNCTION = "stopping";
    private static final int DEPTH = 8;
    private static final int ROOM = CallPageDescriptor.room(FunctionPrograms.MESSAGE, 4096);

    private final RawClient client;

    private StoppingServer(RawClient client) {
        this.client = client;
    }

    public static void main(String[] arguments) throws IOException {
        StoppingServer server = new StoppingServer(RawClient.attach(TestDriver.endpoint(Path.of(arguments[0]))));
        server.register(server.region());
        ServerLane lane = server.serve();
        System.out.println("SERVES");
        TestDriver.await("a call", lane::take);
        server.request(FunctionMessage.STOP_SERVING);
        server.client.control.post();
        System.out.println("STOPS");
        System.in.read();
    }

    private FunctionMessage request(int type) {
        return new FunctionMessage(client.request(type));
    }

    private int region() throws IOException {
        LentRegion table = LentRegion.create("pd-test", 4096);
        request(RegionMessage.REGISTER).size(table.size());
        return new RegionMessage(client.call(table.fd())).handle();
    }

    private void register(int region) throws IOException {
        byte[] program = FunctionPrograms.COUNT.bytes();
        try (SharedRegion memory = SharedRegion.create("pd-test", 4096, false)) {
            memory.allocate(0, memory.size());
            MemorySegment.copy(MemorySegment.ofArray(program), 0, memory.memory(), 0, program.length);
            request(FunctionMessage.REGISTER_FUNCTION)
                    .version(1)
                    .messageLength(FunctionPrograms.MESSAGE)
                    .fuel(1000)
                    .regions(1)
                    .region(0, region)
                    .texts(FUNCTION, "")
                    .size(program.length);
            int handle = new FunctionMessage(client.call(memory.fd())).handle();
            request(FunctionMessage.GRANT_FUNCTION)
                    .handle(handle)
                    .rights(RegionMessage.CALL)
                    .subject(RegionMessage.ANYONE, 0)
                    .text("");
            client.call();
        }
    }

    private ServerLane serve() throws IOException {
        SharedRegion returns = SharedRegion.create("pd-returns", ReturnPageDescriptor.length(1, DEPTH, ROOM), false);
        returns.allocate(0, returns.size());
        request(FunctionMessage.SERVE).messageLength(ROOM).queues(1, DEPTH).size(returns.size());
        long size = new RegionMessage(client.call(returns.fd())).size();
        SharedRegion calls = SharedRegion.attach(client.received(), size);
        return new ServerLane(calls.memory(), returns.memory(), DEPTH, ROOM, 0);
    }
}
