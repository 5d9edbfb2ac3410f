// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.active.CallCompletion;
import io.pipedevice.active.Calls;
import io.pipedevice.active.FunctionDefinition;
import io.pipedevice.active.Grant;
import io.pipedevice.active.Place;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteFunction;
import io.pipedevice.active.Right;
import io.pipedevice.active.Status;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.DriverLog;
import io.pipedevice.wait.FairTimeout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that registers and calls as many functions as its driver lets it, as its input says: one command on each
 * line, one line of answer for each. It ends with its input. Argument: the driver's directory.
 */
final class CrowdedFunctions {
    private static final int LONGEST_MESSAGE = 16_384;
    private static final int DEPTH = 64;
    private static final int CALLS = 60;
    private static final int FUEL = 100;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final Path driver;
    private final CallCompletion completion = new CallCompletion();
    private final List<Regions> attachments = new ArrayList<>();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile String problem = "";

    private CrowdedFunctions(Path driver) {
        this.driver = driver;
    }

    /** Starts one, which is ready when this returns. */
    static ChildJvm start(Path directory, String... wrapper) throws IOException {
        return CommandedProcess.start(CrowdedFunctions.class, directory, wrapper);
    }

    public static void main(String[] arguments) throws IOException {
        DriverLog.quiet();
        CrowdedFunctions process = new CrowdedFunctions(Path.of(arguments[0]));
        CommandedProcess.obey(process::answer);
        process.attachments.forEach(Regions::close);
    }

    private String answer(String[] words) throws IOException {
        int count = words.length > 1 ? Integer.parseInt(words[1]) : 0;
        return switch (words[0]) {
            case "attach" -> Long.toString(attached());
            case "crowd" -> crowd(count);
            case "long" -> longPrograms(count, Integer.parseInt(words[2]));
            case "complex" -> complexPrograms(count);
            case "refused" -> Integer.toString(refused.get());
            case "simple" -> Long.toString(simpleProgram());
            case "problem" -> problem;
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private Regions attach() throws PdException {
        Regions made = Regions.attach(TestDriver.endpoint(driver), 1, DEPTH);
        attachments.add(made);
        return made;
    }

    /** Milliseconds that an attachment takes. */
    private long attached() throws PdException {
        long start = System.nanoTime();
        attach();
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /** Attaches, registers functions, calls each of them many times at once, and says how the calls ended. */
    private String crowd(int functions) throws PdException {
        Map<Status, Integer> ends = new EnumMap<>(Status.class);
        int lost = 0;
        Regions regions = attach();
        String name = "crowd-" + ProcessHandle.current().pid() + "-" + attachments.size() + "-";
        for (int number = 0; number < functions && lost == 0; number++) {
            regions.register(
                    new FunctionDefinition(
                            name + number, 1, FunctionPrograms.SPIN.bytes(), LONGEST_MESSAGE, List.of(), FUEL),
                    Grant.anyone(Right.CALL));
            lost = callAtOnce(regions, name + number, ends);
        }
        StringBuilder answer = new StringBuilder("lost " + lost);
        ends.forEach(
                (status, count) -> answer.append(" ").append(status).append(" ").append(count));
        return answer.toString();
    }

    /** Has as many calls under way as the driver lets a process have; returns how many do not end. */
    private int callAtOnce(Regions regions, String name, Map<Status, Integer> ends) throws PdException {
        try (RemoteFunction function = regions.findFunction(name);
                Calls calls = regions.calls(DEPTH)) {
            for (int i = 0; i < CALLS; i++) {
                MemorySegment message = calls.message(function);
                boolean posted = calls.post(i, function, message, Place.DEVICE);
                assert posted;
            }
            calls.flush();
            for (int i = 0; i < CALLS; i++) {
                if (!isEnded(calls)) {
                    return CALLS - i;
                }
                ends.merge(completion.status(), 1, Integer::sum);
            }
            return 0;
        }
    }

    /** Whether the next call ends while this process has the processors for a time. */
    private boolean isEnded(Calls calls) throws PdException {
        FairTimeout patience = new FairTimeout(System.nanoTime(), PATIENCE_NS);
        do {
            if (calls.await(completion, patience.untilNs() - System.nanoTime())) {
                return true;
            }
        } while (patience.goesOn());
        return false;
    }

    /**
     * Registers different programs of some instructions, until the driver refuses one; returns how many it has taken.
     */
    private String longPrograms(int count, int slots) throws PdException {
        Regions regions = attach();
        for (int i = 0; i < count; i++) {
            byte[] program =
                    HostilePrograms.straight((int) ProcessHandle.current().pid() * 100 + i, slots);
            if (!isRegistered(regions, "long-" + i, program)) {
                return Integer.toString(i);
            }
        }
        return Integer.toString(count);
    }

    /** Has as many attachments register programs that take long to verify, one after the other. */
    private String complexPrograms(int count) throws PdException {
        for (int i = 0; i < count; i++) {
            int first = (int) ProcessHandle.current().pid() * 1000 + i;
            Thread thread = new Thread(() -> registerComplexPrograms(first), "complex-" + first);
            thread.setDaemon(true);
            thread.start();
        }
        return "started";
    }

    private void registerComplexPrograms(int first) {
        int number = first;
        while (true) {
            try (Regions regions = Regions.attach(TestDriver.endpoint(driver), 1, 2)) {
                while (!isRegistered(regions, "complex", HostilePrograms.complex(number, 10_000))) {
                    number += 10;
                    refused.incrementAndGet();
                }
            } catch (PdException e) {
                // The processors are so busy that the driver was given up; begin again.
                problem = e.getMessage();
            }
        }
    }

    /** Milliseconds in which a function of a few instructions is registered and called. */
    private long simpleProgram() throws IOException {
        Regions regions = attach();
        long start = System.nanoTime();
        String name = "simple-" + start;
        if (!isRegistered(regions, name, HostilePrograms.straight((int) start, 4))) {
            return -1;
        }
        try (RemoteFunction function = regions.findFunction(name);
                Calls calls = regions.calls(1)) {
            calls.call(function, calls.message(function), Place.DEVICE);
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    private boolean isRegistered(Regions regions, String name, byte[] program) throws PdException {
        try {
            String own = name + "-" + ProcessHandle.current().pid();
            regions.register(
                    new FunctionDefinition(name.startsWith("simple") ? name : own, 1, program, 64, List.of(), FUEL),
                    Grant.anyone(Right.CALL));
            return true;
        } catch (PdException e) {
            if (e.errno() == Errno.ETIMEDOUT) {
                throw e;
            }
            problem = Errno.name(e.errno()) + " " + e.getMessage();
            return false;
        }
    }
}
