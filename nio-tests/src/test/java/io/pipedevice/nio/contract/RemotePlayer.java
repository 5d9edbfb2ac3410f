// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.StandstillWatch;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The listening end of games in another process, controlled through that process's standard input and output. */
final class RemotePlayer implements Player, AutoCloseable {
    private final Process process;
    private final StandstillWatch watch;
    private final ObjectOutputStream requests;
    private final ObjectInputStream answers;

    /** Starts it where the servers of a pairing are. */
    static RemotePlayer of(Pairing pairing) throws IOException {
        return new RemotePlayer(pairing == Pairing.PIPEDEVICE_DIRECT ? DirectProviders.serverCommand() : List.of());
    }

    /** @param wrapper a command and the options of a JVM, or nothing */
    private RemotePlayer(List<String> wrapper) throws IOException {
        process = new ProcessBuilder(command(wrapper))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        watch = new StandstillWatch(process.pid());
        requests = new ObjectOutputStream(new BufferedOutputStream(process.getOutputStream()));
        requests.flush();
        answers = new ObjectInputStream(new BufferedInputStream(process.getInputStream()));
    }

    private static List<String> command(List<String> wrapper) {
        List<String> command = new ArrayList<>(wrapper);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ChildJvm.inheritedFlags());
        command.add("-D" + DirectProviders.END_PROPERTY + "="
                + (wrapper.isEmpty() ? "" : DriverProvider.DIRECT.directory()));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(PlayerProgram.class.getName());
        return command;
    }

    void enter(Pairing pairing, SocketEnds ends) throws IOException {
        ask(new Request(Request.Kind.ENTER, pairing, ends, null));
    }

    @Override
    public Outcome act(Act act) throws IOException {
        return ask(new Request(Request.Kind.ACT, null, null, act));
    }

    @Override
    public void begin(Act act) throws IOException {
        ask(new Request(Request.Kind.BEGIN, null, null, act));
    }

    @Override
    public void interrupt() throws IOException {
        ask(new Request(Request.Kind.INTERRUPT, null, null, null));
    }

    @Override
    public Outcome end() throws IOException {
        return ask(new Request(Request.Kind.END, null, null, null));
    }

    @Override
    public void leave() throws IOException {
        ask(new Request(Request.Kind.LEAVE, null, null, null));
    }

    private Outcome ask(Request request) throws IOException {
        requests.writeObject(request);
        requests.flush();
        // Otherwise the stream keeps a reference to every object that it has written.
        requests.reset();
        watch.begin();
        try {
            Object answer = answers.readObject();
            if (answer instanceof Outcome outcome) {
                return outcome;
            }
            throw new AssertionError("in the other process: " + answer);
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        } finally {
            watch.end();
        }
    }

    @Override
    public void close() {
        watch.close();
        process.destroyForcibly();
        process.onExit().join();
    }
}
