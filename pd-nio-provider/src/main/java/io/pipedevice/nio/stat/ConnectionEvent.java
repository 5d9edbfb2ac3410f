// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import java.net.SocketAddress;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * The event of a flight recording for a connection that has ended. Loaded only if there is a recording, see
 * {@link FlightRecording}.
 */
@Name("io.pipedevice.Connection")
@Label("PipeDevice Connection")
@Description("A TCP connection of java.nio has ended")
@Category("PipeDevice")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
final class ConnectionEvent extends Event {
    @Label("Local Address")
    private String localAddress;

    @Label("Remote Address")
    private String remoteAddress;

    @Label("Bytes Sent")
    @DataAmount
    private long bytesSent;

    @Label("Bytes Received")
    @DataAmount
    private long bytesReceived;

    @Label("Writes Cut Short")
    @Description("Non-blocking writes that found a ring full, and took only part of their bytes")
    private long writesCut;

    @Label("Writes That Waited")
    @Description("Blocking writes that found a ring full, and waited for the peer to read")
    private long writesWaited;

    @Label("Lifetime")
    @Timespan(Timespan.NANOSECONDS)
    private long lifetime;

    @Label("Accelerated")
    private boolean accelerated;

    @Label("Path")
    @Description("How data went on rings: direct, or by a driver's device")
    private String path;

    @Label("Kernel Reason")
    @Description("Why the connection was on kernel TCP")
    private String kernelReason;

    static void commit(ConnectionRecord connection, SocketAddress local, SocketAddress remote) {
        ConnectionEvent event = new ConnectionEvent();
        if (!event.shouldCommit()) {
            return;
        }
        event.localAddress = local == null ? null : local.toString();
        event.remoteAddress = remote == null ? null : remote.toString();
        event.bytesSent = connection.bytesSent();
        event.bytesReceived = connection.bytesReceived();
        event.writesCut = connection.writesCut();
        event.writesWaited = connection.writesWaited();
        event.lifetime = connection.ageNanos();
        event.accelerated = connection.accelerated();
        event.path = connection.accelerated() ? connection.path().text() : null;
        event.kernelReason =
                connection.accelerated() ? null : connection.reason().name();
        event.commit();
    }
}
