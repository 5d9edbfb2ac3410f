// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.active.CallCompletion;
import io.pipedevice.active.Calls;
import io.pipedevice.active.Function;
import io.pipedevice.active.FunctionDefinition;
import io.pipedevice.active.FunctionServer;
import io.pipedevice.active.OperationException;
import io.pipedevice.active.Owner;
import io.pipedevice.active.Place;
import io.pipedevice.active.Region;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteFunction;
import io.pipedevice.active.Status;
import io.pipedevice.jdk.Foreign;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A process that registers functions and calls those of others, as its input says: one command on each line, one line
 * of answer for each. It ends with its input. Argument: the driver's directory.
 */
final class FunctionProcess {
    private static final int DEPTH = 16;
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private final Regions regions;
    private final Calls calls;
    private final CallCompletion completion = new CallCompletion();
    private Region region;
    private Function own;
    private FunctionServer server;
    private RemoteFunction found;
    private MemorySegment message;
    private final List<MemorySegment> messages = new ArrayList<>();
    private int posts;

    /** Calls that {@link #until} has made. */
    private long made;

    private final Path driver;
    private final Set<Place> places = EnumSet.noneOf(Place.class);
    private String problem = "";

    private FunctionProcess(Path driver, Regions regions) throws PdException {
        this.driver = driver;
        this.regions = regions;
        this.calls = regions.calls(DEPTH);
    }

    /** Starts one, which is ready when this returns. */
    static ChildJvm start(Path directory, String... wrapper) throws IOException {
        return CommandedProcess.start(FunctionProcess.class, directory, wrapper);
    }

    public static void main(String[] arguments) throws IOException {
        DriverLog.quiet();
        Path driver = Path.of(arguments[0]);
        try (Regions regions = Regions.attach(TestDriver.endpoint(driver), 4, DEPTH)) {
            FunctionProcess process = new FunctionProcess(driver, regions);
            CommandedProcess.obey(process::answer);
        }
    }

    private String answer(String[] words) throws IOException {
        try {
            return switch (words[0]) {
                case "problem" -> problem;
                case "container" -> found.ownerContainer();
                case "await" -> awaited();
                default -> Long.toString(act(words));
            };
        } catch (OperationException e) {
            return e.status().name();
        } catch (PdException e) {
            problem = e.getMessage();
            return Errno.name(e.errno());
        }
    }

    /** The result of a call that was posted, or its status if it failed. */
    private String awaited() throws IOException {
        boolean ended = calls.await(completion, Long.MAX_VALUE);
        assert ended;
        return completion.status() == Status.OK
                ? Long.toString(completion.result())
                : completion.status().name();
    }

    private long act(String[] words) throws IOException {
        switch (words[0]) {
            case "region" -> region = regions.register(words[1], 8192, RegionProcess.grants(words, 2));
            case "function" ->
                own = regions.register(
                        new FunctionDefinition(
                                words[1],
                                Integer.parseInt(words[2]),
                                FunctionPrograms.valueOf(words[3]).bytes(),
                                FunctionPrograms.MESSAGE,
                                List.of(region),
                                Long.parseLong(words[4])),
                        RegionProcess.grants(words, 5));
            case "grant" -> own.grant(RegionProcess.grant(words[1]));
            case "grant-region" -> region.grant(RegionProcess.grant(words[1]));
            case "close" -> own.close();
            case "end-region" -> region.close();
            case "word" -> {
                return (long) WORD.getVolatile(region.memory(), Long.parseLong(words[1]));
            }
            case "find", "in" -> {
                found = words[0].equals("in")
                        ? regions.findFunction(words[1], 0, Owner.container(words[2]))
                        : words.length > 2
                                ? regions.findFunction(words[1], Integer.parseInt(words[2]))
                                : regions.findFunction(words[1]);
                messages.clear();
                message = calls.message(found);
                messages.add(message);
                posts = 0;
                return found.version();
            }
            case "serve" ->
                server = words.length > 2
                        ? regions.serve(Integer.parseInt(words[1]), Integer.parseInt(words[2]))
                        : regions.serve(Integer.parseInt(words[1]));
            case "stop" -> server.close();
            case "made" -> {
                return made;
            }
            case "release" -> found.close();
            case "call" -> {
                return call(words);
            }
            case "call-within" -> {
                fill(words);
                return calls.call(found, message, Place.valueOf(words[1]), limitNs(words));
            }
            case "post" -> {
                MemorySegment next = messages().get(posts++ % DEPTH);
                fill(words, next);
                boolean posted = calls.post(7, found, next, Place.valueOf(words[1]), limitNs(words));
                calls.flush();
                return posted ? 1 : 0;
            }
            case "hog" -> FunctionHog.start(TestDriver.endpoint(driver), words[1], Integer.parseInt(words[2]), DEPTH);
            case "until" -> until(words);
            case "storm" -> {
                return storm(words);
            }
            case "answer" -> {
                return message.getAtIndex(ValueLayout.JAVA_LONG, Integer.parseInt(words[1]));
            }
            default -> throw new IllegalArgumentException(words[0]);
        }
        return 0;
    }

    /** Place, the first two words of the message, how often. */
    private long call(String[] words) throws IOException {
        fill(words);
        int times = words.length > 4 ? Integer.parseInt(words[4]) : 1;
        long result = 0;
        for (int i = 0; i < times; i++) {
            result = calls.call(found, message, Place.valueOf(words[1]));
        }
        return result;
    }

    /** Milliseconds after place and message; for ever without them. */
    private static long limitNs(String[] words) {
        return words.length > 4 ? TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[4])) : Long.MAX_VALUE;
    }

    private void fill(String[] words) {
        fill(words, message);
    }

    private static void fill(String[] words, MemorySegment to) {
        to.setAtIndex(ValueLayout.JAVA_LONG, 0, Long.parseLong(words[2]));
        to.setAtIndex(ValueLayout.JAVA_LONG, 1, Long.parseLong(words[3]));
    }

    /** As many messages of the function as calls may be outstanding. */
    private List<MemorySegment> messages() throws PdException {
        while (messages.size() < DEPTH) {
            messages.add(calls.message(found));
        }
        return messages;
    }

    /** Place, the first two words of the messages, number of calls; the number of places where calls have begun. */
    private long storm(String[] words) throws IOException {
        List<MemorySegment> all = messages();
        long left = Long.parseLong(words[4]);
        for (int i = 0; i < DEPTH && left > 0; i++, left--) {
            post(words, i, all.get(i));
        }
        while (calls.outstanding() > 0) {
            if (!calls.await(completion, Long.MAX_VALUE) || completion.status() != Status.OK) {
                throw new IOException("a call has failed: " + completion);
            }
            places.add(completion.place());
            if (left > 0) {
                left--;
                post(words, (int) completion.id(), all.get((int) completion.id()));
            }
        }
        return places.size();
    }

    private void post(String[] words, int id, MemorySegment to) throws IOException {
        fill(words, to);
        boolean posted = calls.post(id, found, to, Place.valueOf(words[1]));
        assert posted;
    }

    /** Makes calls of place AUTO, until some in a row have begun at a place. */
    private void until(String[] words) throws IOException {
        Place wanted = Place.valueOf(words[1]);
        int left = Integer.parseInt(words[2]);
        for (int inRow = 0; inRow < left; inRow = completion.place() == wanted ? inRow + 1 : 0) {
            message.setAtIndex(ValueLayout.JAVA_LONG, 0, 1);
            message.setAtIndex(ValueLayout.JAVA_LONG, 1, 0);
            if (!calls.post(0, found, message, Place.AUTO)
                    || !calls.await(completion, Long.MAX_VALUE)
                    || completion.status() != Status.OK) {
                throw new IOException("a call has failed: " + completion);
            }
            made++;
        }
    }
}
