// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.operation.ReturnPageDescriptor;
import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.function.FunctionUser;
import io.pipedevice.driver.function.Functions;
import io.pipedevice.driver.function.Registration;
import io.pipedevice.driver.function.StoredFunction;
import io.pipedevice.driver.function.Verification;
import io.pipedevice.driver.region.Handle;
import io.pipedevice.driver.region.Region;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.memory.SealedFile;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Handles the messages about functions ({@link FunctionMessage}). Belongs to the driver's thread. */
public final class FunctionControl {
    private static final Fd[] NO_FDS = {};

    private final Functions functions;
    private final RegionControl regions;

    /**
     * Begins without functions.
     *
     * @param functions of all processes
     * @param regions handles messages about regions
     */
    public FunctionControl(Functions functions, RegionControl regions) {
        this.functions = functions;
        this.regions = regions;
    }

    /**
     * Handles a message.
     *
     * @param resume causes it to be handled again
     * @return descriptors for the answer, or null if it must be handled again
     */
    Fd[] handle(ControlSession session, ControlMessage message, ReceivedFds fds, Runnable resume) throws Refusal {
        FunctionMessage request = new FunctionMessage(message);
        FunctionUser user = functions.user(session.process);
        return switch (message.type()) {
            case FunctionMessage.REGISTER_FUNCTION -> register(session, user, request, fds, resume);
            case FunctionMessage.GRANT_FUNCTION -> RegionControl.grant(own(user, request).target, request);
            case FunctionMessage.CLOSE_FUNCTION -> close(user, request);
            case FunctionMessage.FIND_FUNCTION -> find(user, request);
            case FunctionMessage.RELEASE_FUNCTION -> release(user, request);
            case FunctionMessage.PROGRAM_OF -> program(user, request);
            case FunctionMessage.REGION_OF -> region(user, request);
            case FunctionMessage.SERVE -> serve(session, user, request, fds, resume);
            default -> stopServing(session, user, request, resume);
        };
    }

    private Fd[] register(
            ControlSession session, FunctionUser user, FunctionMessage request, ReceivedFds fds, Runnable resume)
            throws Refusal {
        if (session.verification != null) {
            Verification verification = session.verification;
            session.verification = null;
            return registered(user, verification, request);
        }
        if (!user.hasRoomForFunction()) {
            throw new Refusal(Errno.ENOBUFS, "the process has too many functions");
        }
        Registration registration = registration(session.process, user, request, fds);
        session.verification = functions.verify(session.process, registration, resume);
        if (session.verification == null) {
            session.process.use.giveSendMemory(registration.program().size());
            regions.dispose(registration.program());
            throw new Refusal(Errno.EAGAIN, "too many programs wait to be verified");
        }
        return null;
    }

    private Registration registration(
            AttachedProcess process, FunctionUser user, FunctionMessage request, ReceivedFds fds) throws Refusal {
        String name = RegionControl.checkedName(request.firstText());
        int version = request.version();
        int length = request.messageLength();
        long fuel = request.fuel();
        long size = request.size();
        int count = request.regions();
        if (version < 1
                || length < 1
                || length > FunctionMessage.MAX_MESSAGE
                || fuel < 1
                || fuel > FunctionMessage.MAX_FUEL
                || count < 0
                || count > FunctionMessage.MAX_REGIONS) {
            throw new Refusal(
                    Errno.EINVAL,
                    "version " + version + ", messages of " + length + " bytes, fuel " + fuel + ", " + count
                            + " regions");
        }
        if (size < 1 || size > FunctionMessage.MAX_PROGRAM || fds.count() != 1) {
            throw new Refusal(Errno.EINVAL, "a program of " + size + " bytes");
        }
        List<Integer> handles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            handles.add(request.region(i));
        }
        if (functions.regions(user, handles) == null) {
            throw new Refusal(Errno.EINVAL, "a function may only operate on regions of its owner");
        }
        Attachments.checkDescriptors(process);
        long pages = Memory.wholePages(size);
        Attachments.takeSendMemory(process, pages);
        try {
            SealedFile program = SealedFile.accept(fds.take(0), pages, fds.closer());
            return new Registration(name, request.secondText(), version, length, fuel, handles, (int) size, program);
        } catch (IOException | IllegalArgumentException e) {
            process.use.giveSendMemory(pages);
            throw Refusal.exhausted(e, Errno.EINVAL, "cannot read the program");
        }
    }

    private Fd[] registered(FunctionUser user, Verification verification, FunctionMessage request) throws Refusal {
        if (verification.isLate()) {
            throw new Refusal(Errno.EAGAIN, "the driver has verified programs of others for too long");
        }
        if (verification.problem() != null) {
            throw new Refusal(Errno.ENOEXEC, verification.problem());
        }
        Functions.Outcome outcome = functions.register(user, verification, handle -> {
            request.answer().handle(handle.number());
            request.stateLength(handle.target.stateLength());
        });
        return switch (outcome) {
            case REGISTERED -> NO_FDS;
            case TAKEN ->
                throw new Refusal(
                        Errno.EEXIST,
                        "another function of this user and container is " + verification.registration.name()
                                + " of version " + verification.registration.version());
            case TOO_MANY ->
                throw new Refusal(
                        Errno.ENOBUFS, "the code of the functions of the user takes too much memory of the driver");
            case NO_REGION -> throw new Refusal(Errno.EINVAL, "a region of the function has ended");
        };
    }

    private static Handle<StoredFunction> own(FunctionUser user, FunctionMessage request) throws Refusal {
        Handle<StoredFunction> handle = user.handles.handle(request.handle());
        if (handle == null || !handle.isOwners()) {
            throw new Refusal(Errno.EINVAL, "no function of this process has the handle " + request.handle());
        }
        return handle;
    }

    private static Fd[] close(FunctionUser user, FunctionMessage request) throws Refusal {
        Handle<StoredFunction> handle = own(user, request);
        handle.target.close();
        user.handles.release(handle);
        request.answer();
        return NO_FDS;
    }

    private Fd[] find(FunctionUser user, FunctionMessage request) throws Refusal {
        String name = RegionControl.checkedName(request.firstText());
        int version = request.version();
        List<StoredFunction> found = functions.find(user, name, version, RegionControl.wantedOwner(request));
        if (found.isEmpty()) {
            throw new Refusal(Errno.ENOENT, "no function is " + name + (version == 0 ? "" : " of version " + version));
        }
        String container = regions.requireOneOwner(found, user.process(), RegionMessage.CALL);
        found.removeIf(each -> !functions.mayCall(user, each));
        if (found.isEmpty()) {
            throw new Refusal(Errno.EACCES, "container " + container + " does not let this process call " + name);
        }
        StoredFunction best = found.getFirst();
        for (StoredFunction each : found) {
            best = each.version > best.version ? each : best;
        }
        if (!user.handles.hasRoom()) {
            throw new Refusal(Errno.ENOBUFS, "the process has too many functions");
        }
        Handle<StoredFunction> handle = user.handles.enter(best, false);
        request.answer();
        request.version(best.version)
                .messageLength(best.messageLength())
                .regions(best.regionCount())
                .fuel(best.fuel)
                .stateLength(best.stateLength())
                .texts(best.symbol, best.owner.identity.containerName())
                .handle(handle.number())
                .rights(best.neededRights)
                .size(best.programLength)
                .process(best.owner.identity.pid())
                .subject(RegionMessage.USER, best.owner.identity.uid());
        return NO_FDS;
    }

    private static Fd[] release(FunctionUser user, FunctionMessage request) throws Refusal {
        Handle<StoredFunction> handle = found(user, request);
        if (handle.isOwners()) {
            throw new Refusal(Errno.EINVAL, "a function of this process is closed, and not released");
        }
        user.handles.release(handle);
        request.answer();
        return NO_FDS;
    }

    private static Handle<StoredFunction> found(FunctionUser user, FunctionMessage request) throws Refusal {
        Handle<StoredFunction> handle = user.handles.handle(request.handle());
        if (handle == null) {
            throw new Refusal(Errno.EINVAL, "no function has the handle " + request.handle());
        }
        return handle;
    }

    /** A function that the process may run itself. */
    private StoredFunction runnable(FunctionUser user, FunctionMessage request) throws Refusal {
        StoredFunction function = found(user, request).target;
        if (!function.isOpen()) {
            throw new Refusal(Errno.ENOENT, "the function has ended");
        }
        if (!functions.mayCall(user, function) || !user.mayRun(function)) {
            throw new Refusal(Errno.EACCES, "this process has not the rights to all regions of the function");
        }
        return function;
    }

    private Fd[] program(FunctionUser user, FunctionMessage request) throws Refusal {
        StoredFunction function = runnable(user, request);
        request.answer().size(function.programLength);
        return new Fd[] {function.program()};
    }

    private Fd[] region(FunctionUser user, FunctionMessage request) throws Refusal {
        Region region = runnable(user, request).region(request.regions());
        if (region == null || !region.isOpen()) {
            throw new Refusal(Errno.EINVAL, "the function has no region " + request.regions());
        }
        return regions.found(user.regions, region, request);
    }

    private Fd[] serve(
            ControlSession session, FunctionUser user, FunctionMessage request, ReceivedFds fds, Runnable resume)
            throws Refusal {
        int lanes = request.queues();
        int depth = request.depth();
        int room = request.messageLength();
        if (session.preparation instanceof QueuePages pages) {
            session.preparation = null;
            pages.finish();
            session.process.memory.mapped(pages.operations.size());
            user.serve(pages.completions, pages.operations, lanes, depth, room);
            request.answer().size(pages.completions.size());
            return new Fd[] {pages.completions.fd()};
        }
        if (user.isServing() || !CallPageDescriptor.isValid(lanes, depth, room)) {
            throw new Refusal(
                    Errno.EINVAL, lanes + " lanes of depth " + depth + " for " + room + " bytes, or a second time");
        }
        long size = Memory.wholePages(ReturnPageDescriptor.length(lanes, depth, room));
        if (request.size() != size || fds.count() != 1) {
            throw new Refusal(Errno.EINVAL, "the page of returns must be one memory object of " + size + " bytes");
        }
        regions.prepare(session, fds, size, CallPageDescriptor.length(lanes, depth, room), resume);
        return null;
    }

    private static Fd[] stopServing(ControlSession session, FunctionUser user, FunctionMessage request, Runnable resume)
            throws Refusal {
        if (session.deregisters) {
            session.deregisters = false;
            request.answer();
            return NO_FDS;
        }
        if (!user.isServing()) {
            throw new Refusal(Errno.EINVAL, "the process serves no calls");
        }
        session.deregisters = true;
        user.stopServing(resume);
        return null;
    }
}
