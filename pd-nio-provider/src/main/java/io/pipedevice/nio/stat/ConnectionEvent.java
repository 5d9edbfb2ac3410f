// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import java.net.SocketAddress;
import java.util.List;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.ValueDescriptor;

/**
 * The event of a flight recording for a connection that has ended. Loaded only if there is a recording, see
 * {@link FlightRecording}.
 *
 * <p>The recorder makes the event's class: a subclass of {@link Event} that the boot loader has loaded, as it does
 * where the agent's jar is on the boot class path, may not commit.
 */
final class ConnectionEvent {
    /** In the order of the values of {@link #commit}. */
    private static final List<ValueDescriptor> FIELDS = List.of(
            field(String.class, "localAddress", label("Local Address")),
            field(String.class, "remoteAddress", label("Remote Address")),
            field(long.class, "bytesSent", label("Bytes Sent"), bytes()),
            field(long.class, "bytesReceived", label("Bytes Received"), bytes()),
            field(
                    long.class,
                    "writesCut",
                    label("Writes Cut Short"),
                    description("Non-blocking writes that found a ring full, and took only part of their bytes")),
            field(
                    long.class,
                    "writesWaited",
                    label("Writes That Waited"),
                    description("Blocking writes that found a ring full, and waited for the peer to read")),
            field(
                    long.class,
                    "lifetime",
                    label("Lifetime"),
                    new AnnotationElement(Timespan.class, Timespan.NANOSECONDS)),
            field(boolean.class, "accelerated", label("Accelerated")),
            field(
                    String.class,
                    "path",
                    label("Path"),
                    description("How data went on rings: direct, or by a driver's device")),
            field(
                    String.class,
                    "kernelReason",
                    label("Kernel Reason"),
                    description("Why the connection was on kernel TCP")));

    private static final EventFactory FACTORY = EventFactory.create(
            List.of(
                    new AnnotationElement(Name.class, "io.pipedevice.Connection"),
                    label("PipeDevice Connection"),
                    description("A TCP connection of java.nio has ended"),
                    new AnnotationElement(Category.class, new String[] {"PipeDevice"}),
                    new AnnotationElement(StackTrace.class, false)),
            FIELDS);

    private ConnectionEvent() {}

    private static ValueDescriptor field(Class<?> type, String name, AnnotationElement... annotations) {
        return new ValueDescriptor(type, name, List.of(annotations));
    }

    private static AnnotationElement label(String text) {
        return new AnnotationElement(Label.class, text);
    }

    private static AnnotationElement description(String text) {
        return new AnnotationElement(Description.class, text);
    }

    private static AnnotationElement bytes() {
        return new AnnotationElement(DataAmount.class, DataAmount.BYTES);
    }

    static void commit(ConnectionRecord connection, SocketAddress local, SocketAddress remote) {
        Event event = FACTORY.newEvent();
        if (!event.shouldCommit()) {
            return;
        }
        boolean accelerated = connection.accelerated();
        Object[] values = {
            local == null ? null : local.toString(),
            remote == null ? null : remote.toString(),
            connection.bytesSent(),
            connection.bytesReceived(),
            connection.writesCut(),
            connection.writesWaited(),
            connection.ageNanos(),
            accelerated,
            accelerated ? connection.path().text() : null,
            accelerated ? null : connection.reason().name()
        };
        for (int i = 0; i < values.length; i++) {
            event.set(i, values[i]);
        }
        event.commit();
    }
}
