// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.operation.ReturnPageDescriptor;
import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.control.Attachments;
import io.pipedevice.driver.control.ControlRequest;
import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.control.Reply;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.region.Handle;
import io.pipedevice.driver.region.RegisteredRegion;
import io.pipedevice.driver.region.SharedMessages;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.memory.SealedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Handles the messages about functions ({@link FunctionMessage}). Belongs to the driver's thread. */
public final class FunctionControl {
    private final Functions functions;
    private final Attachments attachments;
    private final SharedMessages shared;

    /**
     * Begins without functions.
     *
     * @param functions of all processes
     * @param attachments unmaps memory
     * @param shared handles what such messages have in common with those about regions
     */
    public FunctionControl(Functions functions, Attachments attachments, SharedMessages shared) {
        this.functions = functions;
        this.attachments = attachments;
        this.shared = shared;
    }

    /**
     * Handles a message.
     *
     * @param received from an attached process, {@link FunctionMessage of one of these types}
     * @return the answer, which may come later
     * @throws Refusal if it is invalid, or not permitted, or exceeds a limit
     */
    public Reply handle(ControlRequest received) throws Refusal {
        FunctionMessage request = new FunctionMessage(received.message());
        FunctionUser user = functions.user(received.process());
        return switch (received.message().type()) {
            case FunctionMessage.REGISTER_FUNCTION -> register(received, user, request);
            case FunctionMessage.GRANT_FUNCTION -> SharedMessages.grant(own(user, request).target, request);
            case FunctionMessage.CLOSE_FUNCTION -> close(user, request);
            case FunctionMessage.FIND_FUNCTION -> find(user, request);
            case FunctionMessage.RELEASE_FUNCTION -> release(user, request);
            case FunctionMessage.PROGRAM_OF -> program(user, request);
            case FunctionMessage.REGION_OF -> region(user, request);
            case FunctionMessage.SERVE -> serve(received, user, request);
            default -> stopServing(received, user, request);
        };
    }

    private Reply register(ControlRequest received, FunctionUser user, FunctionMessage request) throws Refusal {
        if (!user.hasRoomForFunction()) {
            throw new Refusal(Errno.ENOBUFS, "the process has too many functions");
        }
        AttachedProcess process = received.process();
        Registration registration = registration(process, user, request, received.fds());
        Verification verification = functions.verify(process, registration, received::resume);
        if (verification == null) {
            process.use.giveSendMemory(registration.program().size());
            attachments.dispose(registration.program());
            throw new Refusal(Errno.EAGAIN, "too many programs wait to be verified");
        }
        return new Verifying(user, verification, request);
    }

    /**
     * A message whose program is being verified. The program is the verifier's until then, also if the session ends.
     */
    private final class Verifying implements Reply.Later {
        private final FunctionUser user;
        private final Verification verification;
        private final FunctionMessage request;

        Verifying(FunctionUser user, Verification verification, FunctionMessage request) {
            this.user = user;
            this.verification = verification;
            this.request = request;
        }

        @Override
        public Reply resume(long nowNs) throws Refusal {
            return registered(user, verification, request);
        }

        @Override
        public boolean isEndWatched() {
            return true;
        }
    }

    private Registration registration(
            AttachedProcess process, FunctionUser user, FunctionMessage request, ReceivedFds fds) throws Refusal {
        String name = SharedMessages.checkedName(request.firstText());
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

    private Reply registered(FunctionUser user, Verification verification, FunctionMessage request) throws Refusal {
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
            case REGISTERED -> Reply.answer();
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

    private static Reply close(FunctionUser user, FunctionMessage request) throws Refusal {
        Handle<StoredFunction> handle = own(user, request);
        handle.target.close();
        user.handles.release(handle);
        request.answer();
        return Reply.answer();
    }

    private Reply find(FunctionUser user, FunctionMessage request) throws Refusal {
        String name = SharedMessages.checkedName(request.firstText());
        int version = request.version();
        List<StoredFunction> found = functions.find(user, name, version, SharedMessages.wantedOwner(request));
        if (found.isEmpty()) {
            throw new Refusal(Errno.ENOENT, "no function is " + name + (version == 0 ? "" : " of version " + version));
        }
        String container = shared.requireOneOwner(found, user.process(), RegionMessage.CALL);
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
        return Reply.answer();
    }

    private static Reply release(FunctionUser user, FunctionMessage request) throws Refusal {
        Handle<StoredFunction> handle = found(user, request);
        if (handle.isOwners()) {
            throw new Refusal(Errno.EINVAL, "a function of this process is closed, and not released");
        }
        user.handles.release(handle);
        request.answer();
        return Reply.answer();
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

    private Reply program(FunctionUser user, FunctionMessage request) throws Refusal {
        StoredFunction function = runnable(user, request);
        request.answer().size(function.programLength);
        return Reply.answer(function.program());
    }

    private Reply region(FunctionUser user, FunctionMessage request) throws Refusal {
        RegisteredRegion region = runnable(user, request).region(request.regions());
        if (region == null || !region.isOpen()) {
            throw new Refusal(Errno.EINVAL, "the function has no region " + request.regions());
        }
        return shared.found(user.regions, region, request);
    }

    private Reply serve(ControlRequest received, FunctionUser user, FunctionMessage request) throws Refusal {
        int lanes = request.queues();
        int depth = request.depth();
        int room = request.messageLength();
        if (user.isServing() || !CallPageDescriptor.isValid(lanes, depth, room)) {
            throw new Refusal(
                    Errno.EINVAL, lanes + " lanes of depth " + depth + " for " + room + " bytes, or a second time");
        }
        long size = Memory.wholePages(ReturnPageDescriptor.length(lanes, depth, room));
        if (request.size() != size || received.fds().count() != 1) {
            throw new Refusal(Errno.EINVAL, "the page of returns must be one memory object of " + size + " bytes");
        }
        return shared.preparePages(
                received,
                size,
                CallPageDescriptor.length(lanes, depth, room),
                (returns, calls) -> user.serve(calls, returns, lanes, depth, room));
    }

    private static Reply stopServing(ControlRequest received, FunctionUser user, FunctionMessage request)
            throws Refusal {
        if (!user.isServing()) {
            throw new Refusal(Errno.EINVAL, "the process serves no calls");
        }
        user.stopServing(received::resume);
        return SharedMessages.whenEnded(request);
    }
}
