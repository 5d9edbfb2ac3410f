// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * One of two programs: reads commands from standard input, one in a line, and answers each with a line on standard
 * output. It ends with its standard input, and so with the process that started it.
 *
 * <pre>
 *  serve WORK COUNT       listening PORT
 *  open WORK COUNT PORT   opened
 *  run MILLIS             ran COUNT NANOS   the traffic of what was opened
 *  close                  closed            what was opened, or what serves
 * </pre>
 */
public final class RegretProgram {
    private Closeable current = () -> {};

    private RegretProgram() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws IOException if standard input cannot be read
     */
    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        RegretProgram program = new RegretProgram();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(program.answer(line.split(" ", -1)));
        }
        // Threads that are stuck in a transport must not keep the process alive.
        System.exit(0);
    }

    private String answer(String[] words) {
        try {
            return obey(words);
        } catch (Exception | LinkageError e) {
            return "error " + e;
        }
    }

    private String obey(String[] words) throws Exception {
        return switch (words[0]) {
            case "serve" -> {
                Server server = Work.valueOf(words[1]).serve(Integer.parseInt(words[2]));
                current = server;
                yield "listening " + server.port();
            }
            case "open" -> {
                current = Work.valueOf(words[1]).open(Integer.parseInt(words[3]), Integer.parseInt(words[2]));
                yield "opened";
            }
            case "run" -> {
                long start = System.nanoTime();
                long count = ((Client) current).run(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[1])));
                yield "ran " + count + " " + (System.nanoTime() - start);
            }
            case "close" -> {
                current.close();
                yield "closed";
            }
            default -> throw new IllegalArgumentException(words[0]);
        };
    }
}
