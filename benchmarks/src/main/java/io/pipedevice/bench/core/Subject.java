// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

/**
 * What is measured: a transport, and for PipeDevice the device of its driver.
 *
 * @param transport of the messages
 * @param device as the driver's option takes it; null for TCP
 */
record Subject(Transport transport, String device) {
    /** The baseline. */
    static final Subject TCP = new Subject(Transport.TCP, null);

    /** PipeDevice with the driver's default device, with which other devices are compared. */
    static final Subject EMULATOR = ofDevice("emulator");

    static Subject ofDevice(String device) {
        return new Subject(Transport.PIPEDEVICE, device);
    }

    /** Each transport in turn, PipeDevice with each device. */
    static List<Subject> of(List<Transport> transports, List<String> devices) {
        LinkedHashSet<Subject> subjects = new LinkedHashSet<>();
        for (Transport transport : transports) {
            if (transport == Transport.TCP) {
                subjects.add(TCP);
            } else {
                devices.forEach(device -> subjects.add(ofDevice(device)));
            }
        }
        return new ArrayList<>(subjects);
    }

    boolean isDevice() {
        return device != null;
    }

    /** The name in a report. */
    String title() {
        return isDevice() ? device : "TCP";
    }

    /** The title as a part of a file's name. */
    String fileName() {
        return title().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-");
    }
}
