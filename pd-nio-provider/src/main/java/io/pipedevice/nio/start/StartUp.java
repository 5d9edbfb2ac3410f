// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import io.pipedevice.jdk.Jdk;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Platform;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.nio.stat.Statistics;
import io.pipedevice.property.KnownProperties;
import java.io.IOException;
import java.net.SocketImpl;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import sun.nio.ch.DefaultSelectorProvider;

/**
 * Decides once whether this JVM gets accelerated channels, and keeps the reason if it does not. Never throws: a program
 * that runs without PipeDevice also runs with it.
 *
 * <p>Thread safe. Lives as long as the JVM.
 */
public final class StartUp {
    /** The JDK's own provider; null if its package stays closed. */
    private final SelectorProvider kernel;

    /** Opens channels of the JDK's own for the program; null where PipeDevice does not work. */
    private final SelectorProvider neighbours;

    /** Null where PipeDevice does not work. */
    private final Acceleration acceleration;

    /** Why PipeDevice is off, in one sentence; empty if it works, or the user has turned it off. */
    private final String whyNot;

    private final AtomicBoolean said = new AtomicBoolean();

    /**
     * Warnings about properties that do not exist and about defects of the JDK, for the log; null if there are none, or
     * once they have been logged.
     */
    private volatile String[] warnings;

    /**
     * Decides, and publishes the reason if PipeDevice is off.
     *
     * @param provider the provider that {@code provider()} of the opened channels returns
     */
    public StartUp(SelectorProvider provider) {
        SelectorProvider jdk = null;
        SelectorProvider others = null;
        Acceleration rings = null;
        String reason;
        try {
            open();
            jdk = JdkPackages.open(JdkPackages.CHANNELS) ? DefaultSelectorProvider.get() : null;
            Settings settings = null;
            try {
                settings = Settings.read();
                reason = check(settings.use());
                warnings = settings.use() == Settings.Use.NEVER ? null : warnings();
            } catch (IllegalArgumentException e) {
                reason = e.getMessage();
            }
            if (reason == null) {
                others = NeighbourProvider.of(provider);
                rings = new RingAcceleration(provider, jdk, settings);
            }
        } catch (Throwable e) {
            reason = e.toString();
        }
        if (jdk == null) {
            reason = JdkPackages.closed();
        }
        this.kernel = jdk;
        this.neighbours = others;
        this.acceleration = rings;
        this.whyNot = reason == null ? "" : reason;
        if (!whyNot.isEmpty()) {
            OffNotice.publish(whyNot);
        }
    }

    /** Makes the JDK's packages accessible by the first way that works, unless the agent or flags did so before. */
    private static void open() {
        if (JdkPackages.open()) {
            return;
        }
        try {
            TrustedLookup.open();
        } catch (Throwable unsafe) {
            if (Jdk.HAS_CLASS_FILES) {
                openByBootClass();
            }
        }
    }

    private static void openByBootClass() {
        try {
            BootClass.open();
        } catch (Throwable jni) {
            // There is no other way, and check() names the flags that help.
            return;
        }
    }

    /** Why PipeDevice is not used: null if it is, empty if the user has turned it off. */
    private static String check(Settings.Use use) {
        if (use == Settings.Use.NEVER) {
            return "";
        }
        if (use == Settings.Use.WHERE_IT_PAYS && ProcessorCount.onlyOne()) {
            return "this machine has one processor, on which a program's first seconds and its slowest messages are"
                    + " faster on kernel TCP; -D" + Settings.ENABLED_PROPERTY + "=true turns PipeDevice on";
        }
        if (!JdkPackages.open()) {
            return JdkPackages.closed();
        }
        if (!Platform.supported()) {
            return Platform.whyNot();
        }
        if (isForbidden()) {
            return "Unix sockets, which PipeDevice needs to connect processes, are forbidden here (in a systemd"
                    + " service, RestrictAddressFamilies must include AF_UNIX)";
        }
        IOException memory = Statistics.whyUnpublished();
        return memory == null ? null : "shared memory is not available: " + memory.getMessage();
    }

    /**
     * Whether there are no Unix sockets at all. The connect is expected to fail, because no process listens at the
     * name.
     */
    private static boolean isForbidden() {
        try {
            UnixSocket.connect(UnixSocket.Type.SEQPACKET, UnixAddress.abstractName("pipedevice-nobody"), 0)
                    .close();
            return false;
        } catch (LinuxException e) {
            return e.errno() == Errno.EAFNOSUPPORT;
        }
    }

    /**
     * Returns the factory of accelerated channels. Logs, once, the properties that do not exist, and defects of the
     * JDK.
     *
     * @return null where PipeDevice does not work
     */
    public Acceleration acceleration() {
        if (warnings != null) {
            warn();
        }
        return acceleration;
    }

    /** Not called by the constructor, for the reason given in {@link #kernel}. */
    private void warn() {
        String[] lines;
        synchronized (said) {
            lines = warnings;
            warnings = null;
        }
        for (int i = 0; lines != null && i < lines.length; i++) {
            new LazyLogger("io.pipedevice").get().log(System.Logger.Level.WARNING, lines[i]);
        }
    }

    /** Null if there are none. */
    private static String[] warnings() {
        String[] misspelled = KnownProperties.misspelled();
        List<String> defects = JdkDefects.ofThisJvm();
        if (defects.isEmpty()) {
            return misspelled;
        }
        List<String> all = new ArrayList<>(defects);
        if (misspelled != null) {
            Collections.addAll(all, misspelled);
        }
        return all.toArray(new String[0]);
    }

    /**
     * Returns the JDK's own provider. Logs, once, why PipeDevice is off.
     *
     * @return the JDK's default provider
     * @throws IOException if its package is closed; the message names the flags that open it
     */
    public SelectorProvider kernel() throws IOException {
        if (kernel == null) {
            throw new IOException("PipeDevice cannot even reach kernel TCP: " + whyNot);
        }
        sayWhyOff();
        return kernel;
    }

    /**
     * Logs, once, why PipeDevice is off. Not called by the constructor: a log that writes to a channel would ask for
     * the provider that is still being created.
     */
    private void sayWhyOff() {
        if (!whyNot.isEmpty() && said.compareAndSet(false, true)) {
            new LazyLogger("io.pipedevice")
                    .get()
                    .log(System.Logger.Level.WARNING, "PipeDevice is off, connections stay on kernel TCP: " + whyNot);
        }
    }

    /**
     * Creates the implementation of a socket of java.net.
     *
     * @param server whether it is for a ServerSocket
     * @return the JDK's own where PipeDevice does not work
     */
    public SocketImpl createSocketImpl(boolean server) {
        Acceleration rings = acceleration();
        sayWhyOff();
        return rings == null ? JdkSockets.create(server) : rings.createSocketImpl(server);
    }

    /**
     * Returns the provider that opens the JDK's own channels for the program.
     *
     * @return a provider whose channels register with PipeDevice's selectors where PipeDevice works
     * @throws IOException as {@link #kernel}
     */
    public SelectorProvider neighbours() throws IOException {
        return acceleration == null ? kernel() : neighbours;
    }
}
