// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A driver whose device is QEMU's edu, behind an emulated VT-d, copies every byte between programs in the guest. The
 * test checks their output after the guest has shut down.
 */
final class VfioGuestIT {
    private static final int MAX_TRANSFER = 2048;
    private static final long LISTING1_BYTES = 48 << 10;
    private static final long NIO_BYTES = 24 << 10;

    private final List<String> lines = new ArrayList<>();

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void everyByteIsCopiedByThePciDevice() throws Exception {
        HostTools tools = HostTools.find();
        Path image = new GuestImage(Path.of(System.getProperty("guest.directory"))).build(tools);
        boot(tools, image);

        assertEquals(2, count("server: the checksum is the client's"), this::text);
        assertEquals(first("nio client: (.* bytes.*)", 0), first("nio server: (.* bytes.*)", 0));

        assertTrue(text().contains("2 MB pages     64 free of 64"), this::text);
        assertTrue(!text().contains("rings use normal pages"), this::text);

        int listing1 = index("guest: after listing1");
        long commands = counter("commands executed of device edu", listing1);
        long interrupts = counter("interrupts of device edu", listing1);
        long bytes = counter("bytes copied of device edu", listing1);
        System.out.printf(
                "guest: Listing 1: the device copied %d of %d bytes in %d commands, with %d interrupts%n",
                bytes, counter("bytes copied", listing1), commands, interrupts);
        assertTrue(bytes >= LISTING1_BYTES, this::text);
        assertTrue(commands >= bytes / MAX_TRANSFER && interrupts >= 2 * commands, this::text);

        int nio = index("guest: after nio");
        assertTrue(counter("bytes copied of device edu", nio) - bytes >= NIO_BYTES, this::text);

        int reset = index("guest: after reset");
        assertTrue(counter("commands tried again", reset) > counter("commands tried again", nio), this::text);
        assertEquals(0, counter("connections reset", reset), this::text);
        assertEquals(0, counter("out of service of device edu", reset), this::text);
        index("guest: driver ended with 0");

        // The device is available to the next driver, however the last one ended.
        assertEquals(3, count("driver with edu 0000:01:00.0 ready on /tmp/pd"), this::text);
        index("guest: after SIGKILL, the driver ended with 0");
    }

    /** Runs the guest until it shuts down, and prints its output. */
    private void boot(HostTools tools, Path image) throws Exception {
        Process guest = new ProcessBuilder(
                        tools.qemu().toString(),
                        "-M",
                        "q35,kernel-irqchip=split",
                        "-accel",
                        "tcg",
                        "-cpu",
                        "max",
                        "-smp",
                        "2",
                        "-m",
                        "1280",
                        "-nodefaults",
                        "-no-reboot",
                        "-display",
                        "none",
                        "-serial",
                        "stdio",
                        "-kernel",
                        tools.kernel().toString(),
                        "-initrd",
                        image.toString(),
                        "-append",
                        // On a busy host the timer is too late for the kernel's check.
                        "console=ttyS0 quiet panic=-1 intel_iommu=on no_timer_check hugepages=64",
                        "-device",
                        "intel-iommu,intremap=on",
                        // Behind a port of its own, the device can be reset with its bus.
                        "-device",
                        "pcie-root-port,id=rp",
                        "-device",
                        "edu,bus=rp")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = guest.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                System.out.println("  " + line);
                lines.add(line);
            }
            assertTrue(guest.waitFor(1, TimeUnit.MINUTES));
        } finally {
            guest.destroyForcibly();
        }
    }

    private String text() {
        return String.join("\n", lines);
    }

    private long count(String line) {
        return lines.stream().filter(printed -> printed.strip().equals(line)).count();
    }

    private int index(String line) {
        int index = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).strip().equals(line)) {
                index = i;
            }
        }
        assertTrue(index >= 0, () -> "the guest did not print '" + line + "'");
        return index;
    }

    /** A counter of the driver, as it was printed after a line. */
    private long counter(String label, int after) {
        return Long.parseLong(first("([0-9,]+)  " + label + (label.contains("device") ? " .*" : ""), after)
                .replace(",", ""));
    }

    /** The first match of a pattern, from an index on. */
    private String first(String pattern, int after) {
        Pattern wanted = Pattern.compile(pattern);
        for (String line : lines.subList(after, lines.size())) {
            Matcher matcher = wanted.matcher(line.strip());
            if (matcher.matches()) {
                return matcher.group(1);
            }
        }
        throw new AssertionError("the guest printed no " + pattern);
    }
}
