// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.driver.policy.DataPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Slows a place for a while: other processes take its processor. Compares calls that stay there with calls that the
 * client's steering may move, in windows of 10 ms. The path is direct: a client that runs a GET itself does not need
 * the driver.
 */
final class ShiftPart {
    static final List<FunctionPlace> SLOWED = List.of(FunctionPlace.DEVICE, FunctionPlace.HOST);
    static final String P99 = "p99-us";
    static final String SHARE = "share-";
    static final String RECOVERY = "recovery-ms";
    static final int WINDOW_MS = 10;

    static final Application APPLICATION = Application.TABLE_GET;
    private static final long WINDOW_NS = WINDOW_MS * 1_000_000L;
    private static final int OTHERS_PROCESSOR = 0;
    private static final int SLOWED_PROCESSOR = 1;
    private static final double RATE = 5000;

    /** After so many windows whose time is as before, it has recovered. */
    private static final int CALM = 10;

    /** A window is as before if its time is not longer than this many times that of most windows before. */
    private static final double FACTOR = 3;

    private final FunctionFigures figures;
    private final double seconds;
    private final long keys;

    /** The hog begins after this time, and ends after it once more. */
    ShiftPart(FunctionFigures figures, double seconds, long keys) {
        this.figures = figures;
        this.seconds = seconds;
        this.keys = keys;
    }

    /** A call: when it should have begun, how long it took, and where it ran. */
    private record Sample(long intended, long time, FunctionPlace place) {}

    /** Measures with and without steering. */
    void measure(FunctionPlace slowed) throws IOException {
        figures.clear(part(slowed));
        for (FunctionPlace place : new FunctionPlace[] {slowed, FunctionPlace.AUTO}) {
            try (FunctionSite site =
                            FunctionSite.start(APPLICATION, keys, 1, DataPath.DIRECT, FunctionSite.Idle.SPINS);
                    Port port = site.port(place, FunctionSite.MOST_SLOTS)) {
                Workload workload = APPLICATION.workload(keys);
                new ClosedLoop(port, workload, 1).run(2, LoadPart.histogram());
                boolean isHost = slowed == FunctionPlace.HOST;
                Processors.pin(site.owner().pid(), isHost ? SLOWED_PROCESSOR : OTHERS_PROCESSOR);
                Processors.pin(site.driver().pid(), isHost ? OTHERS_PROCESSOR : SLOWED_PROCESSOR);
                Processors.pin(ProcessHandle.current().pid(), OTHERS_PROCESSOR);
                measure(port, workload, slowed, place);
            } finally {
                Processors.unpin(ProcessHandle.current().pid());
            }
        }
    }

    private void measure(Port port, Workload workload, FunctionPlace slowed, FunctionPlace place) throws IOException {
        List<Sample> samples = new ArrayList<>((int) (RATE * seconds * 4));
        long start = System.nanoTime();
        Thread hogs = new Thread(() -> hog(seconds), "hog");
        hogs.start();
        new OpenLoop(port, workload, true)
                .run(
                        RATE,
                        3 * seconds,
                        (intended, ended, ranAt) -> samples.add(new Sample(intended, ended - intended, ranAt)));
        try {
            hogs.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        evaluate(samples, start, slowed, place);
    }

    private static void hog(double seconds) {
        long phase = (long) (seconds * 1000);
        try {
            Thread.sleep(phase);
            Hog hog = new Hog(SLOWED_PROCESSOR);
            try {
                Thread.sleep(phase);
            } finally {
                hog.close();
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void evaluate(List<Sample> samples, long start, FunctionPlace slowed, FunctionPlace place) {
        int count = (int) (3 * seconds * 1000 / WINDOW_MS);
        double[] p99 = new double[count];
        for (int window = 0; window < count; window++) {
            long from = start + window * WINDOW_NS;
            List<Sample> inside = samples.stream()
                    .filter(sample -> sample.intended >= from && sample.intended < from + WINDOW_NS)
                    .toList();
            if (inside.isEmpty()) {
                continue;
            }
            long[] times = inside.stream().mapToLong(Sample::time).sorted().toArray();
            p99[window] = times[(int) Math.min(times.length - 1, times.length * 99L / 100)] / 1e3;
            figures.add(key(slowed, place, window, P99), p99[window]);
            for (FunctionPlace each : List.of(FunctionPlace.CLIENT, FunctionPlace.DEVICE, FunctionPlace.HOST)) {
                double share =
                        inside.stream().filter(sample -> sample.place == each).count() / (double) inside.size();
                figures.add(key(slowed, place, window, SHARE + each), share);
            }
        }
        figures.add(LoadPart.key(part(slowed), APPLICATION, place, "", RECOVERY), recovery(p99, (int)
                (seconds * 1000 / WINDOW_MS)));
    }

    /** Milliseconds from the start of the hog until times are as before; -1 if they are not before its end. */
    static double recovery(double[] p99, int hogs) {
        double[] before = Arrays.copyOf(p99, hogs);
        Arrays.sort(before);
        double most = before[hogs * 9 / 10] * FACTOR;
        int calm = 0;
        for (int window = hogs; window < 2 * hogs; window++) {
            calm = p99[window] <= most ? calm + 1 : 0;
            if (calm == CALM) {
                return (window + 1.0 - CALM - hogs) * WINDOW_MS;
            }
        }
        return -1;
    }

    static String part(FunctionPlace slowed) {
        return "shift-" + slowed;
    }

    static FunctionFigures.Key key(FunctionPlace slowed, FunctionPlace place, int window, String metric) {
        return LoadPart.key(part(slowed), APPLICATION, place, Integer.toString(window * WINDOW_MS), metric);
    }
}
