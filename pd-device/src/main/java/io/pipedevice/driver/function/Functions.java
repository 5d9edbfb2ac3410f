// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.FaultyProcesses;
import io.pipedevice.driver.data.OperationCopies;
import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.region.CallExecutor;
import io.pipedevice.driver.region.Handle;
import io.pipedevice.driver.region.Names;
import io.pipedevice.driver.region.Operations;
import io.pipedevice.driver.region.RegionUser;
import io.pipedevice.driver.region.RegisteredRegion;
import io.pipedevice.driver.region.Rights;
import io.pipedevice.driver.region.WantedOwner;
import io.pipedevice.driver.share.SharedQuota;
import io.pipedevice.linux.ThreadClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The functions of all processes. Belongs to the driver's thread. */
public final class Functions implements AutoCloseable {
    /** The code of all functions takes at most this part of the size of the heap. */
    private static final int CODE_PART = 4;

    /**
     * Runs take at most this part of the size of the heap: some of it, and most beside it, where as much may be used.
     */
    private static final int RUNS_PART = 8;

    private final Operations operations;
    private final Rights rights;
    private final OperationCopies copies;
    private final Names<StoredFunction> names;
    private final VerifierThread verifier;

    /** Memory of the code of all functions. */
    private final SharedQuota code = new SharedQuota(Runtime.getRuntime().maxMemory() / CODE_PART);

    private final FaultyProcesses faulty;

    /** The processes that have functions, or have posted calls. */
    private final List<FunctionUser> all = new ArrayList<>();

    private final RunPool runs = new RunPool(Runtime.getRuntime().maxMemory() / RUNS_PART);

    /** Null before the first process. */
    private CallPlaces places;

    /**
     * Begins without functions.
     *
     * @param operations has the processes
     * @param copies counts the bytes that calls move
     * @param faulty is notified of processes that broke a rule
     * @param signal wakes the driver's thread, on any thread
     * @param abandon gets the memory object of a program that is not registered after all
     */
    public Functions(
            Operations operations,
            OperationCopies copies,
            FaultyProcesses faulty,
            Runnable signal,
            Consumer<AutoCloseable> abandon) {
        this.faulty = faulty;
        this.operations = operations;
        this.rights = operations.rights();
        this.copies = copies;
        this.names = new Names<>(rights);
        this.verifier = new VerifierThread(signal, each -> {
            each.process.use.giveSendMemory(each.registration.program().size());
            abandon.accept(each.registration.program());
        });
        operations.calls(this::make);
    }

    private CallExecutor make(RegionUser user) {
        if (places == null) {
            places = new CallPlaces(copies, new DeviceAccess(copies), runs, new ThreadClock());
        }
        FunctionUser made = new FunctionUser(user, rights, places, all, faulty);
        all.add(made);
        return made;
    }

    /**
     * The part of a process in this; made when it is first asked for.
     *
     * @param process attached
     * @return the functions of the process
     */
    FunctionUser user(AttachedProcess process) {
        return (FunctionUser) operations.user(process).calls();
    }

    /**
     * Begins to verify a program.
     *
     * @param process that registers it, and is charged for its memory object
     * @param registration its request
     * @param resume causes its message to be handled again
     * @return null if too many programs wait
     */
    Verification verify(AttachedProcess process, Registration registration, Runnable resume) {
        Verification verification = new Verification(process, registration, resume);
        return verifier.add(verification) ? verification : null;
    }

    /**
     * Has the messages handled whose programs were verified, or have waited for too long.
     *
     * @return how many
     */
    public int finish() {
        return verifier.finish();
    }

    /**
     * Whether programs wait for others to be verified, for a bounded time.
     *
     * @return true if {@link #finish} has to be called without an event
     */
    public boolean waitsForTime() {
        return verifier.hasWaiting();
    }

    /**
     * The regions of a registration.
     *
     * @param user registers
     * @param numbers any values
     * @return null if one is not an open region of the process
     */
    List<RegisteredRegion> regions(FunctionUser user, List<Integer> numbers) {
        List<RegisteredRegion> regions = new ArrayList<>();
        for (int number : numbers) {
            RegisteredRegion region = user.ownRegion(number);
            if (region == null) {
                return null;
            }
            regions.add(region);
        }
        return List.copyOf(regions);
    }

    /** The result of a registration. */
    enum Outcome {
        /** The function is there. */
        REGISTERED,
        /** One of the regions does not belong to the process. */
        NO_REGION,
        /** The name and version belong to another function of this user and container. */
        TAKEN,
        /** The memory for the code of functions, or the user's share of it, is used up. */
        TOO_MANY
    }

    /**
     * Registers a function whose program is safe.
     *
     * @param user registers it, and has room for it
     * @param verification without a problem
     * @param registered gets the handle
     * @return the result; the memory object is the function's if it is registered
     */
    Outcome register(FunctionUser user, Verification verification, Consumer<Handle<StoredFunction>> registered) {
        Registration registration = verification.registration;
        List<RegisteredRegion> regions = regions(user, registration.regions());
        if (regions == null) {
            return Outcome.NO_REGION;
        }
        boolean taken = !names.find(
                        registration.name(),
                        user.process,
                        each -> each.version == registration.version() && Names.isNeighbour(each, user.process))
                .isEmpty();
        if (taken) {
            return Outcome.TAKEN;
        }
        Identity identity = user.process.identity;
        long bytes = verification.codeBytes();
        if (!code.take(identity.uid(), identity.networkNamespace(), bytes)) {
            return Outcome.TOO_MANY;
        }
        try {
            user.process.memory.allocatingPage(bytes);
        } catch (IOException e) {
            code.give(identity.uid(), identity.networkNamespace(), bytes);
            return Outcome.TOO_MANY;
        }
        StoredFunction function =
                new StoredFunction(user.process, registration, verification.take(), regions, each -> ended(user, each));
        user.functions.add(function);
        boolean named = names.publish(function, registration.name());
        assert named;
        Handle<StoredFunction> handle = user.handles.enter(function, true);
        function.ownersHandle = handle.number();
        function.server = user;
        registered.accept(handle);
        return Outcome.REGISTERED;
    }

    private void ended(FunctionUser user, StoredFunction function) {
        Identity identity = function.owner.identity;
        code.give(identity.uid(), identity.networkNamespace(), function.codeBytes);
        function.owner.memory.freePage(null, function.codeBytes);
        names.withdraw(function);
        user.functions.remove(function);
        runs.ended(function);
        user.endedFunction(function);
    }

    /**
     * Finds the functions of a name that a process may know of.
     *
     * @param user looks for them
     * @param name any text
     * @param version from 1, or 0 for any
     * @param wanted whose functions are meant
     * @return those of its own user and container, or else those of others
     */
    List<StoredFunction> find(FunctionUser user, String name, int version, WantedOwner wanted) {
        return names.find(
                name,
                user.process,
                each -> (version == 0 || each.version == version) && wanted.matches(each.owner.identity));
    }

    /**
     * Whether a process may call a function.
     *
     * @param user any
     * @param function any
     * @return whether its owner and the policy permit it
     */
    boolean mayCall(FunctionUser user, StoredFunction function) {
        return (rights.of(function, user.process) & RegionMessage.CALL) != 0;
    }

    @Override
    public void close() {
        verifier.close();
    }
}
