// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import static io.pipedevice.bench.net.ReportLines.line;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegretReportTest {
    private static final List<Row> ROWS = List.of(Row.CONNECT, Row.ACCEPT, Row.NETTY, Row.START_SELECTOR);

    private final Ratios ratios = new Ratios();
    private final RegretReport report = new RegretReport(ROWS, ratios);

    private String text() {
        return report.text(Map.of("machine", "a small one"));
    }

    @Test
    void rowsBelowAreMarkedAndComeFirstTheWorstOfThemAtTheTop() {
        ratios.add(Row.CONNECT, Map.of(Variant.WITHOUT, 100.0, Variant.KERNEL, 90.0, Variant.RINGS, 300.0));
        ratios.add(Row.ACCEPT, Map.of(Variant.WITHOUT, 100.0, Variant.KERNEL, 99.0, Variant.RINGS, 25.0));
        String text = text();
        assertTrue(text.indexOf("Below 0.95") < text.indexOf("All rows"), text);
        assertEquals(
                Row.ACCEPT.title() + " rings 0.250 0.250 0.250", line(text, "Below 0.95", Row.ACCEPT.title()), text);
        assertTrue(text.indexOf(Row.ACCEPT.title()) < text.indexOf(Row.CONNECT.title()), text);
        assertEquals(
                Row.CONNECT.title() + " rate 0.900 0.900 0.900 BELOW 3.00 3.00 3.00",
                line(text, "All rows", Row.CONNECT.title()),
                text);
        assertEquals(
                Row.ACCEPT.title() + " rate 0.990 0.990 0.990 0.250 0.250 0.250 BELOW",
                line(text, "All rows", Row.ACCEPT.title()),
                text);
    }

    @Test
    void rowsWithoutAPeerHaveNoRatioOnRings() {
        ratios.add(Row.START_SELECTOR, Map.of(Variant.WITHOUT, 0.05, Variant.KERNEL, 0.2));
        assertEquals(
                Row.START_SELECTOR.title() + " time 0.250 0.250 0.250 BELOW - - -",
                line(text(), "All rows", Row.START_SELECTOR.title()));
    }

    @Test
    void reportWithoutRegretSaysSo() {
        ratios.add(Row.NETTY, Map.of(Variant.WITHOUT, 100.0, Variant.KERNEL, 95.0, Variant.RINGS, 1200.0));
        assertTrue(text().contains("No row is below 0.95"), this::text);
        assertTrue(text().contains("12.0"), this::text);
    }

    @Test
    void rowsThatFailedAreNamedWithTheReason() {
        ratios.fail(Row.CONNECT, "the client process ended");
        assertTrue(text().contains("connect: the client process ended"), this::text);
    }

    @Test
    void fileHasALineForEachRowAndPlaceWithTheRatioOfEachTurn() {
        ratios.add(Row.CONNECT, Map.of(Variant.WITHOUT, 100.0, Variant.KERNEL, 90.0, Variant.RINGS, 300.0));
        ratios.add(Row.CONNECT, Map.of(Variant.WITHOUT, 100.0, Variant.KERNEL, 80.0, Variant.RINGS, 200.0));
        assertEquals(
                List.of(
                        "row,measure,place,ratio,least,most,verdict,turns",
                        "connect,rate,kernel,0.850,0.800,0.900,below,0.900,0.800",
                        "connect,rate,rings,2.500,2.000,3.000,,3.000,2.000"),
                report.csv().lines().toList());
    }
}
