// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.active.Grant;
import io.pipedevice.active.OperationException;
import io.pipedevice.active.Owner;
import io.pipedevice.active.QueuePair;
import io.pipedevice.active.Region;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteRegion;
import io.pipedevice.active.Right;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.jdk.Foreign;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that registers regions and operates on others, as its input says: one command on each line, one line of
 * answer for each. It ends with its input. Argument: the driver's directory.
 */
final class RegionProcess {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private final Path driver;
    private Regions regions;
    private QueuePair queue;
    private Region own;
    private RemoteRegion found;
    private String problem = "";

    private RegionProcess(Path driver) throws PdException {
        this.driver = driver;
        open();
    }

    private void open() throws PdException {
        regions = Regions.attach(DriverDirectory.at(driver), 2, 16);
        queue = regions.queuePair();
    }

    /** Starts one, which is ready when this returns. */
    static ChildJvm start(Path directory, String... wrapper) throws IOException {
        return CommandedProcess.start(RegionProcess.class, directory, wrapper);
    }

    public static void main(String[] arguments) throws IOException {
        DriverLog.quiet();
        RegionProcess process = new RegionProcess(Path.of(arguments[0]));
        try {
            CommandedProcess.obey(process::answer);
        } finally {
            process.regions.close();
        }
    }

    private String answer(String[] words) throws IOException {
        try {
            return switch (words[0]) {
                case "container" -> found.ownerContainer();
                case "problem" -> problem;
                default -> Long.toString(act(words));
            };
        } catch (OperationException e) {
            problem = e.getMessage();
            return e.status().name();
        } catch (PdException e) {
            problem = e.getMessage();
            return Errno.name(e.errno());
        }
    }

    private long act(String[] words) throws IOException {
        switch (words[0]) {
            case "register" -> own = regions.register(words[1], 8192, grants(words, 2));
            case "grant" -> own.grant(grant(words[1]));
            case "end" -> own.close();
            case "find" -> {
                found = regions.find(words[1], rights(words.length > 2 ? words[2] : ""));
                return found.isDirect() ? 1 : 0;
            }
            case "of-user" -> found = regions.find(words[1], Owner.user(Integer.parseInt(words[2])));
            case "in" -> found = regions.find(words[1], Owner.container(words[2]));
            case "of-anyone" -> found = regions.find(words[1], Owner.anyone());
            case "attach" -> {
                queue.close();
                regions.close();
                open();
            }
            case "owner" -> {
                return found.ownerUser();
            }
            case "get" -> {
                return queue.get(found, number(words, 1));
            }
            case "put" -> queue.put(found, number(words, 1), number(words, 2));
            case "swap" -> {
                return queue.compareAndSwap(found, number(words, 1), number(words, 2), number(words, 3));
            }
            case "add" -> {
                return add(number(words, 1), number(words, 2));
            }
            case "own-get" -> {
                return (long) WORD.getVolatile(own.memory(), number(words, 1));
            }
            case "own-add" -> {
                for (long left = number(words, 2); left > 0; left--) {
                    long before = (long) WORD.getAndAdd(own.memory(), number(words, 1), 1L);
                    assert before >= 0;
                }
            }
            case "copy" -> copy();
            case "copies" -> {
                for (long left = number(words, 1); left > 0; left--) {
                    copy();
                }
            }
            case "writable" -> {
                return writable();
            }
            default -> throw new IllegalArgumentException(words[0]);
        }
        return 0;
    }

    private long add(long offset, long times) throws IOException {
        long last = 0;
        for (long left = times; left > 0; left--) {
            last = queue.fetchAndAdd(found, offset, 1);
        }
        return last;
    }

    /** Writes 4 KB of a pattern into the region, and reads them back into another buffer. */
    private void copy() throws IOException {
        try (Region out = regions.register(4096);
                Region in = regions.register(4096)) {
            out.memory().fill((byte) 7);
            queue.write(found, 4096, out, 0, 4096);
            queue.read(found, 4096, in, 0, 4096);
            if (in.memory().mismatch(out.memory()) >= 0) {
                throw new IOException("other bytes came back");
            }
        }
    }

    /** The number of regions that this process has mapped writable. */
    private static long writable() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("/memfd:pd-region") && line.contains(" rw"))
                .count();
    }

    private static long number(String[] words, int index) {
        return Long.parseLong(words[index]);
    }

    static Grant[] grants(String[] words, int first) {
        List<Grant> grants = new ArrayList<>();
        for (int i = first; i < words.length; i++) {
            grants.add(grant(words[i]));
        }
        return grants.toArray(Grant[]::new);
    }

    /** Of the form anyone:RIGHTS or UID:RIGHTS. */
    static Grant grant(String text) {
        String subject = text.substring(0, text.indexOf(':'));
        Right[] rights = rights(text.substring(text.indexOf(':') + 1));
        return subject.equals("anyone") ? Grant.anyone(rights) : Grant.user(Integer.parseInt(subject), rights);
    }

    private static Right[] rights(String letters) {
        List<Right> rights = new ArrayList<>();
        for (int i = 0; i < letters.length(); i++) {
            rights.add(
                    switch (letters.charAt(i)) {
                        case 'r' -> Right.READ;
                        case 'w' -> Right.WRITE;
                        case 'a' -> Right.ATOMIC;
                        default -> Right.CALL;
                    });
        }
        return rights.toArray(Right[]::new);
    }
}
