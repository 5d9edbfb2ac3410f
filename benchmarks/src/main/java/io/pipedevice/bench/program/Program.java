// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * One of the two processes: reads commands from standard input, one in a line, and answers each with a line on standard
 * output. It ends with its standard input, and so with the process that started it.
 *
 * <pre>
 *  serve KIND SIZE                           listening ADDRESS   and, when the clients have left, done COUNT - -
 *  connect KIND SIZE ADDRESS CONNECTIONS BUSY connected
 *  begin                                     begun               the traffic of these connections
 *  grow CONNECTIONS                          grown               this many more connections
 *  measure                                   measuring           latency counts from now on
 *  check                                     checking            from now on every byte is compared
 *  snapshot                                  snapshot COUNT NANOS
 *  shares                                    shares NANOS COUNT...   of each connection
 *  heap                                      heap BYTES          in use after a collection
 *  allocated                                 allocated BYTES     on the heap, by all threads since the beginning
 *  stop                                      done COUNT HISTOGRAM HISTOGRAM   of all, and of connecting
 * </pre>
 *
 * COUNT is bytes of a stream, and else round trips or connections. BUSY is the number of connections with traffic; for
 * streams on several connections, those of all clients, which this client tells the server; 0 if another has told it.
 */
public final class Program {
    private final PrintStream out;
    private final Stack stack;
    private Kind kind;
    private Job job;
    private Progress progress;

    private Program(PrintStream out, Stack stack) {
        this.out = out;
        this.stack = stack;
    }

    /**
     * Runs the program.
     *
     * @param args {@code server} or {@code client}, the name of a {@link Stack}, a directory for temporary files, the
     *     address at which clients reach the server
     * @throws Exception if anything fails; the failure is also printed to standard output
     */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        try (Stack stack = Stacks.of(args[1], Path.of(args[2]), args[0].equals("server"), args[3])) {
            out.println("ready");
            new Program(out, stack).obeyAll();
        } catch (UnsupportedOperationException e) {
            out.println("unavailable " + e.getMessage());
        } catch (Exception e) {
            out.println("error " + e);
            throw e;
        }
        // Threads that are stuck in a transport must not keep the process alive.
        System.exit(0);
    }

    private void obeyAll() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer = obey(line.split(" ", -1));
            if (answer != null) {
                out.println(answer);
            }
        }
    }

    /** Executes a command; returns the answer, or null if the job answers. */
    private String obey(String[] words) throws IOException {
        return switch (words[0]) {
            case "serve" -> {
                kind = Kind.valueOf(words[1]);
                Job.Server server = stack.server(kind, Integer.parseInt(words[2]));
                String address = server.address();
                start(server);
                yield "listening " + address;
            }
            case "connect" -> {
                kind = Kind.valueOf(words[1]);
                job = stack.client(
                        kind,
                        Integer.parseInt(words[2]),
                        words[3],
                        Integer.parseInt(words[4]),
                        Integer.parseInt(words[5]));
                yield "connected";
            }
            case "begin" -> {
                start(job);
                yield "begun";
            }
            case "grow" -> {
                job.grow(Integer.parseInt(words[1]));
                yield "grown";
            }
            case "measure" -> {
                progress.measure();
                yield "measuring";
            }
            case "check" -> {
                progress.check();
                yield "checking";
            }
            case "snapshot" -> "snapshot " + progress.count() + " " + System.nanoTime();
            case "shares" -> {
                long[] shares = progress.shares();
                yield Arrays.stream(shares)
                        .mapToObj(count -> " " + count)
                        .collect(Collectors.joining("", "shares " + System.nanoTime(), ""));
            }
            case "heap" -> {
                System.gc();
                yield "heap "
                        + ManagementFactory.getMemoryMXBean()
                                .getHeapMemoryUsage()
                                .getUsed();
            }
            case "allocated" ->
                "allocated "
                        + ManagementFactory.getPlatformMXBean(ThreadMXBean.class)
                                .getTotalThreadAllocatedBytes();
            case "stop" -> {
                progress.stop();
                job.wake();
                yield null;
            }
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private void start(Job next) {
        Progress its = new Progress();
        job = next;
        progress = its;
        Thread.Builder threads = kind == Kind.VIRTUAL_PING_PONG
                ? Thread.ofVirtual()
                : Thread.ofPlatform().daemon();
        threads.name("traffic").start(() -> run(next, its));
    }

    private void run(Job one, Progress its) {
        try {
            one.run(its);
            out.println("done " + its.count() + " " + its.encodedLatencies());
        } catch (Exception e) {
            out.println("error " + e);
            e.printStackTrace();
        }
    }
}
