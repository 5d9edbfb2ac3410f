// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.client.DriverLink;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.operation.CallPageDescriptor;
import io.pipedevice.protocol.FunctionMessage;
import io.pipedevice.protocol.RegionMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What a process and a driver say to each other about functions. Thread safe. */
final class FunctionExchange {
    private static final LazyLogger LOG = new LazyLogger(FunctionExchange.class);

    private final DriverLink link;

    /** The functions of this process, by their handles. */
    private final Map<Integer, Function> own = new ConcurrentHashMap<>();

    FunctionExchange(DriverLink link) {
        this.link = link;
    }

    Function register(FunctionDefinition definition) throws PdException {
        byte[] program = definition.program();
        try (SharedRegion memory = SharedRegion.create("pd-program", Memory.wholePages(program.length), false)) {
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
        request.names(definition.name(), definition.symbol())
                .version(definition.version())
                .messageLength(definition.messageLength())
                .fuel(definition.fuel())
                .regions(definition.regions().size())
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

    void forget(Function function) {
        own.remove(function.handle());
    }

    RemoteFunction find(String name, int version, int subject, int user) throws PdException {
        return link.call(
                FunctionMessage.FIND_FUNCTION,
                request -> new FunctionMessage(request)
                        .names(name, "")
                        .version(version)
                        .subject(subject, user),
                (answer, none) -> found(new FunctionMessage(answer)));
    }

    private RemoteFunction found(FunctionMessage answer) throws PdException {
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
        return new RemoteFunction(this, answer);
    }

    void grant(int handle, Grant grant) throws PdException {
        link.call(
                FunctionMessage.GRANT_FUNCTION,
                request -> grant.write(new RegionMessage(request).handle(handle)),
                (answer, none) -> null);
    }

    /** Tells the driver of an end, which needs no telling where the driver has gone before. */
    void tell(int type, int handle) {
        try {
            link.call(type, request -> new RegionMessage(request).handle(handle), (answer, none) -> null);
        } catch (PdException e) {
            LOG.get().log(Level.DEBUG, "the driver was not told of the end of a function", e);
        }
    }
}
