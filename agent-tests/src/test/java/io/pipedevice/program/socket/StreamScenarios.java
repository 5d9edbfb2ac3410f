// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program.socket;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Streams: their bytes, their ends, and their arguments. */
final class StreamScenarios {
    private static final int LARGE = 3_000_000;

    private StreamScenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new TreeMap<>();
        all.put("a byte there and back", (ends, log) -> {
            ends.tested().getOutputStream().write(200);
            log.accept("" + ends.peer().getInputStream().read());
            ends.peer().getOutputStream().write(255);
            log.accept("" + ends.tested().getInputStream().read());
        });
        all.put("many bytes to the peer", (ends, log) -> {
            Call writes = Call.blocked(false, () -> write(ends.tested(), LARGE));
            log.accept("" + Arrays.hashCode(ends.peer().getInputStream().readNBytes(LARGE)));
            log.accept(writes.outcome());
        });
        all.put("many bytes from the peer", (ends, log) -> {
            Call writes = Call.blocked(true, () -> write(ends.peer(), LARGE));
            log.accept("" + Arrays.hashCode(ends.tested().getInputStream().readNBytes(LARGE)));
            log.accept(writes.outcome());
        });
        all.put("transferTo reads to the end", (ends, log) -> {
            Call writes = Call.blocked(false, () -> {
                write(ends.peer(), 100_000);
                ends.peer().shutdownOutput();
                return "written";
            });
            ByteArrayOutputStream copy = new ByteArrayOutputStream();
            log.accept("" + ends.tested().getInputStream().transferTo(copy));
            log.accept(writes.outcome() + " " + Arrays.hashCode(copy.toByteArray()));
        });
        all.put("a read returns what there is", (ends, log) -> {
            ends.peer().getOutputStream().write(new byte[10]);
            awaitAvailable(ends.tested(), 10);
            log.accept("" + ends.tested().getInputStream().read(new byte[100]));
        });
        all.put("a read into a part of an array", (ends, log) -> {
            ends.peer().getOutputStream().write(new byte[] {1, 2, 3, 4});
            awaitAvailable(ends.tested(), 4);
            byte[] target = new byte[6];
            log.accept("" + ends.tested().getInputStream().read(target, 2, 3) + Arrays.toString(target));
        });
        all.put("available, skip and readNBytes", (ends, log) -> {
            InputStream in = ends.in();
            log.accept("" + in.available());
            ends.peer().getOutputStream().write(new byte[] {1, 2, 3, 4});
            awaitAvailable(ends.tested(), 4);
            log.accept("" + in.available());
            log.accept("" + in.skip(2));
            log.accept(Arrays.toString(in.readNBytes(2)));
            ends.peer().close();
            log.accept("" + in.read() + in.read() + in.available());
        });
        all.put("arguments that are not valid", (ends, log) -> {
            InputStream in = ends.in();
            OutputStream out = ends.out();
            log.accept(Call.outcome(() -> in.read(null, 0, 1)));
            log.accept(Call.outcome(() -> in.read(new byte[2], 1, 2)));
            log.accept(Call.outcome(() -> in.read(new byte[2], -1, 1)));
            log.accept(Call.outcome(() -> in.read(new byte[0])));
            log.accept(Call.outcome(() -> write(out, new byte[2], 1, 2)));
            log.accept(Call.outcome(() -> write(out, new byte[2], 2, 0)));
            log.accept(Call.outcome(() -> write(out, null, 0, 0)));
        });
        all.put("the peer ends its output", (ends, log) -> {
            ends.peer().getOutputStream().write(7);
            ends.peer().shutdownOutput();
            InputStream in = ends.in();
            log.accept("" + in.read() + in.read() + in.read());
            ends.tested().getOutputStream().write(8);
            log.accept("" + ends.peer().getInputStream().read());
        });
        all.put("output that was shut", (ends, log) -> {
            OutputStream out = ends.out();
            ends.tested().shutdownOutput();
            log.accept("" + ends.peer().getInputStream().read());
            log.accept(Call.outcome(() -> write(out, new byte[1], 0, 1)));
            log.accept(Call.outcome(() -> ends.tested().getOutputStream()));
            log.accept("" + ends.tested().isOutputShutdown() + ends.tested().isClosed());
            log.accept(Call.outcome(() -> {
                ends.tested().shutdownOutput();
                return "shut";
            }));
        });
        all.put("input that was shut", (ends, log) -> {
            InputStream in = ends.in();
            ends.peer().getOutputStream().write(1);
            awaitAvailable(ends.tested(), 1);
            ends.tested().shutdownInput();
            log.accept("" + in.available() + in.read());
            log.accept(Call.outcome(() -> ends.tested().getInputStream()));
            log.accept(Call.outcome(() -> {
                ends.tested().shutdownInput();
                return "shut";
            }));
        });
        all.put("streams that are closed close the socket", (ends, log) -> {
            InputStream in = ends.in();
            ends.tested().getOutputStream().close();
            log.accept("" + ends.tested().isClosed());
            log.accept(Call.outcome(in::read));
            log.accept(Call.outcome(in::available));
            log.accept(Call.outcome(() -> ends.tested().getInputStream()));
            log.accept("" + ends.peer().getInputStream().read());
        });
        all.put("urgent data are dropped", (ends, log) -> {
            ends.peer().sendUrgentData(9);
            ends.peer().getOutputStream().write(3);
            log.accept("" + ends.tested().getInputStream().read());
            ends.tested().sendUrgentData(9);
            ends.tested().getOutputStream().write(4);
            log.accept("" + ends.peer().getInputStream().read());
        });
        all.put("urgent data in line", (ends, log) -> {
            ends.tested().setOOBInline(true);
            ends.peer().setOOBInline(true);
            for (int i = 0; i < 3; i++) {
                ends.peer().getOutputStream().write(1);
                ends.peer().sendUrgentData(9);
                ends.peer().getOutputStream().write(2);
                log.accept(Arrays.toString(ends.tested().getInputStream().readNBytes(3)));
                ends.tested().sendUrgentData(8);
                ends.tested().getOutputStream().write(3);
                log.accept(Arrays.toString(ends.peer().getInputStream().readNBytes(2)));
            }
            ends.tested().setOOBInline(false);
            ends.peer().sendUrgentData(9);
            ends.peer().getOutputStream().write(4);
            log.accept("" + ends.tested().getInputStream().read());
        });
        all.put("four threads write whole arrays", (ends, log) -> {
            Call[] writers = new Call[4];
            for (int i = 0; i < writers.length; i++) {
                byte[] piece = new byte[200_000];
                Arrays.fill(piece, (byte) (i + 1));
                writers[i] = Call.blocked(i % 2 == 0, () -> write(ends.tested().getOutputStream(), piece, 0, 200_000));
            }
            byte[] all4 = ends.peer().getInputStream().readNBytes(800_000);
            int changes = 0;
            for (int i = 1; i < all4.length; i++) {
                changes += all4[i] == all4[i - 1] ? 0 : 1;
            }
            log.accept("" + changes);
            for (Call each : writers) {
                log.accept(each.outcome());
            }
        });
        return all;
    }

    static String write(OutputStream out, byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        return "written";
    }

    private static String write(Socket socket, int length) throws IOException {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8));
        }
        return write(socket.getOutputStream(), bytes, 0, length);
    }

    static void awaitAvailable(Socket socket, int count) throws IOException, InterruptedException {
        for (int i = 0; socket.getInputStream().available() < count && i < 2000; i++) {
            Thread.sleep(1);
        }
    }
}
