// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.test.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A process that does what a test tells it, line by line, and answers each line. */
final class CommandedProcess {
    private CommandedProcess() {}

    /** What such a process does. */
    interface Commands {
        /** Answers a command. */
        String answer(String[] words) throws IOException;
    }

    /** Starts one, which is ready when this returns. */
    static ChildJvm start(Class<?> program, Path driver, String... wrapper) throws IOException {
        ChildJvm child = ChildJvm.start(List.of(wrapper), List.of(), program, driver.toString());
        try {
            child.expect("READY");
            return child;
        } catch (IOException e) {
            child.close();
            throw e;
        }
    }

    /** In the process: says that it is ready, and obeys until the test ends. */
    static void obey(Commands commands) throws IOException {
        System.out.println("READY");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            System.out.println("=" + commands.answer(line.split(" ")));
        }
    }

    /** Has one do something, and returns its answer. */
    static String ask(ChildJvm child, String command) throws IOException {
        child.send(command);
        return child.expect("=");
    }
}
