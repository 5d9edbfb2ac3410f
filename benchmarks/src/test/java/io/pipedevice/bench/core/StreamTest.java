// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.bench.core.Stream.Part;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StreamTest {
    @Test
    void medianIsTakenOfEachFigureByItself() {
        Stream median = Stream.median(List.of(stream(1, 30, 0.5), stream(3, 10, 0.1), stream(2, 20, 0.9)));
        assertEquals(2, median.gbPerSecond());
        assertEquals(20, median.messages());
        assertEquals(0.5, median.cpuPerGb().get(Part.CLIENT));
        assertEquals(5, median.allocatedPerMessage().get(Part.DRIVER));
    }

    @Test
    void medianOfTwoIsTheirMean() {
        assertEquals(
                1.5, Stream.median(List.of(stream(1, 1, 1), stream(2, 1, 1))).gbPerSecond());
    }

    @Test
    void applicationsAreClientAndServerWithoutTheDriver() {
        Stream stream = new Stream(1, 1, Map.of(Part.CLIENT, 1.0, Part.SERVER, 2.0, Part.DRIVER, 4.0), Map.of());
        assertEquals(3, stream.applicationCpuPerGb());
        assertEquals(7, stream.totalCpuPerGb());
    }

    private static Stream stream(double gbPerSecond, double messages, double cpu) {
        return new Stream(gbPerSecond, messages, Map.of(Part.CLIENT, cpu), Map.of(Part.DRIVER, 5.0));
    }
}
