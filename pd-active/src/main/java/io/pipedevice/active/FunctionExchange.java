// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.verifier.UnsafeProgramException;
import io.pipedevice.active.code.FunctionCode;
import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.client.DriverLink;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.SealedFile;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.wait.OccasionalThread;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;

/** The exchange of messages about functions between a process and a driver. Thread safe. */
final class FunctionExchange implements AutoCloseable {
    private final DriverLink link;

    /** The functions of this process, by their handles. */
    private final Map<Integer, Function> own = new ConcurrentHashMap<>();

    private final RegionExchange regions;

    /** One thread, so that functions of the same program are compiled once. */
    private final ThreadPoolExecutor compiler;

    FunctionExchange(DriverLink link, RegionExchange regions) {
        this.link = link;
        this.regions = regions;
        this.compiler = OccasionalThread.create("pd-compiler", new LinkedBlockingQueue<>());
    }

    /** Has something done by the thread that compiles. */
    void prepare(Runnable task) throws PdException {
        try {
            compiler.execute(task);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // The attachment was closed, or there may be no more threads.
            throw PdException.wrap("no thread compiles functions", new IOException(e));
        }
    }

    @Override
    public void close() {
        compiler.shutdownNow();
    }

    Function register(FunctionDefinition definition) throws PdException {
        byte[] program = definition.program();
        try (SharedRegion memory = SharedRegion.create("pd-program", program.length, false)) {
            memory.allocate(0, memory.size());
            MemorySegment.copy(MemorySegment.ofArray(program), 0, memory.memory(), 0, program.length);
            Function function = link.call(
                    FunctionMessage.REGISTER_FUNCTION,
                    request -> fill(new FunctionMessage(request), definition),
                    (answer, none) -> registered(definition, new FunctionMessage(answer)),
                    memory.fd());
            own.put(function.handle(), function);
            return function;
        } catch (PdException e) {
            throw e;
        } catch (IOException e) {
            throw PdException.wrap("no memory for a program of " + program.length + " bytes", e);
        }
    }

    private Function registered(FunctionDefinition definition, FunctionMessage answer) throws PdException {
        int state = answer.stateLength();
        if (state < 0 || state > CallPageDescriptor.MAX_ROOM) {
            throw link.broken("a function with states of " + state + " bytes");
        }
        return new Function(this, definition, answer.handle(), state);
    }

    private static void fill(FunctionMessage request, FunctionDefinition definition) {
        request.version(definition.version())
                .messageLength(definition.messageLength())
                .fuel(definition.fuel())
                .regions(definition.regions().size())
                .texts(definition.name(), definition.symbol())
                .size(definition.program().length);
        for (int i = 0; i < definition.regions().size(); i++) {
            request.region(i, definition.regions().get(i).handle());
        }
    }

    /** The function of this process that has a handle; null if it has ended. */
    Function own(int handle) {
        return own.get(handle);
    }

    /** The room that a call of any function of this process needs in a lane. */
    int room() {
        int room = CallPageDescriptor.room(1, 0);
        for (Function function : own.values()) {
            room = Math.max(
                    room, CallPageDescriptor.room(function.definition().messageLength(), function.stateLength()));
        }
        return room;
    }

    RemoteFunction find(String name, int version, Owner owner) throws PdException {
        return link.call(
                FunctionMessage.FIND_FUNCTION,
                request -> owner.write(new FunctionMessage(request).version(version), name),
                (answer, none) -> found(name, new FunctionMessage(answer)));
    }

    private RemoteFunction found(String name, FunctionMessage answer) throws PdException {
        int length = answer.messageLength();
        int state = answer.stateLength();
        int regions = answer.regions();
        if (length < 1
                || length > FunctionMessage.MAX_MESSAGE
                || state < 0
                || state > CallPageDescriptor.MAX_ROOM
                || regions < 0
                || regions > FunctionMessage.MAX_REGIONS) {
            throw link.broken("a function with messages of " + length + " bytes");
        }
        return new RemoteFunction(this, name, answer);
    }

    /** Gets program and regions of a function, and compiles it. */
    RunnableFunction runnable(RemoteFunction function) throws PdException {
        List<RemoteRegion> found = new ArrayList<>();
        try {
            // First, because without the rights there is nothing to compile.
            for (int i = 0; i < function.regions(); i++) {
                int index = i;
                found.add(regions.find(
                        "of " + function.name(),
                        FunctionMessage.REGION_OF,
                        request -> new FunctionMessage(request).regions(index).handle(function.handle())));
            }
            return new RunnableFunction(code(function), List.copyOf(found));
        } catch (PdException | RuntimeException | Error e) {
            found.forEach(RemoteRegion::close);
            throw e;
        }
    }

    private MessageFunction code(RemoteFunction function) throws PdException {
        byte[] program = link.call(
                FunctionMessage.PROGRAM_OF,
                request -> new FunctionMessage(request).handle(function.handle()),
                (answer, memory) -> program(new FunctionMessage(answer).size(), memory));
        try {
            return FunctionCode.of(
                            program, function.symbol(), function.messageLength(), function.regions(), function.fuel())
                    .function();
        } catch (InvalidProgramException | UnsafeProgramException e) {
            throw new PdException(Errno.ENOEXEC, e.getMessage());
        }
    }

    private byte[] program(long size, Fd memory) throws PdException {
        if (memory == null || size < 1 || size > FunctionMessage.MAX_PROGRAM) {
            throw link.broken("a program of " + size + " bytes");
        }
        try (SealedFile file = SealedFile.accept(memory, Memory.wholePages(size), Fd::close)) {
            return file.read((int) size);
        } catch (IOException e) {
            throw PdException.wrap("cannot read a program", e);
        }
    }

    void grant(int handle, Grant grant) throws PdException {
        link.call(
                FunctionMessage.GRANT_FUNCTION,
                request -> grant.write(new RegionMessage(request).handle(handle)),
                (answer, none) -> null);
    }

    void close(Function function) {
        own.remove(function.handle());
        regions.end(FunctionMessage.CLOSE_FUNCTION, function.handle());
    }

    void release(RemoteFunction function) {
        regions.end(FunctionMessage.RELEASE_FUNCTION, function.handle());
    }
}
