// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.client.ControlEndpoint;
import io.pipedevice.device.Device;
import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.device.emulator.EngineThread;
import io.pipedevice.driver.policy.file.PolicySource;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.HugePages;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.property.KnownProperties;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;

/**
 * PD Driver (§3.3 to §3.5): owns receive memory, connections and policy, and has a device that copies. Runs on a thread
 * of its own in the process that launches it. Other processes reach it through its directory, and its own process
 * through {@link #connect}.
 *
 * <p>Needs {@code java.base/jdk.internal.misc} exported, for Agrona. Thread safe. {@link #close} ends every connection,
 * as the death of the process would.
 */
public final class PipeDeviceDriver implements ControlEndpoint, AutoCloseable {
    private static final System.Logger LOG = new LazyLogger(PipeDeviceDriver.class).get();
    private static final LimitedLog CYCLE_FAILED =
            LimitedLog.error(PipeDeviceDriver.class, "error in the driver''s duty cycle");

    private final String deviceName;
    private final LockedDirectory directory;
    private final PolicySource policy;
    private final DriverAgent agent;
    private final AgentRunner runner;
    private final EngineThread engine;
    private final AtomicBoolean closed = new AtomicBoolean();

    private PipeDeviceDriver(
            String deviceName, LockedDirectory directory, PolicySource policy, DriverAgent agent, EngineThread engine) {
        this.deviceName = deviceName;
        this.directory = directory;
        this.policy = policy;
        this.agent = agent;
        this.engine = engine;
        this.runner = new AgentRunner(agent, PipeDeviceDriver::logError, null, agent);
    }

    /**
     * Starts a driver.
     *
     * @param context its configuration, used once
     * @return the running driver, which the caller closes
     * @throws IOException if its directory cannot be written or belongs to a running driver, or if the system has no
     *     memory or descriptors left; the message gives the reason
     * @throws IllegalArgumentException if the configuration is out of range
     */
    public static PipeDeviceDriver launch(DriverContext context) throws IOException {
        // First, because a file that is no policy must not leave a device behind.
        PolicySource policy = context.readPolicy();
        Device device = context.conclude();
        LockedDirectory directory = null;
        EventFd signal = null;
        EngineThread engine = null;
        try {
            directory = context.directory() == null ? null : LockedDirectory.take(context.directory());
            signal = EventFd.open();
            DriverAgent agent = new DriverAgent(context, policy, device, directory, signal);
            if (context.threading() == Threading.SEPARATE && device instanceof DmaEmulator emulator) {
                engine = EngineThread.start(emulator);
            }
            PipeDeviceDriver driver = new PipeDeviceDriver(device.name(), directory, policy, agent, engine);
            // Log a line now: the first line opens the time zone's file, and later there may be no descriptor left for
            // that.
            LOG.log(Level.DEBUG, "driver starts at {0}", ZonedDateTime.now(ZoneId.systemDefault()));
            warnOfMisspelledProperties();
            AgentRunner.startOnThread(driver.runner);
            policy.watch(signal::signal);
            LOG.log(context.normalLevel(), "driver runs with {0}: {1}", device.name(), context);
            if (context.hugePages() && HugePages.free2M() == 0) {
                LOG.log(
                        context.normalLevel(),
                        "no huge page of 2 MB is free, of {0} that are reserved: rings use normal pages",
                        HugePages.total2M());
            }
            return driver;
        } catch (IOException | RuntimeException | Error e) {
            if (engine != null) {
                engine.close();
            }
            device.close();
            if (signal != null) {
                signal.close();
            }
            if (directory != null) {
                directory.socket().close();
                directory.close();
            }
            throw e;
        }
    }

    private static void warnOfMisspelledProperties() {
        String[] misspelled = KnownProperties.misspelled();
        for (int i = 0; misspelled != null && i < misspelled.length; i++) {
            LOG.log(Level.WARNING, misspelled[i]);
        }
    }

    /** Opens a control connection within this process. */
    @Override
    public UnixSocket connect() throws IOException {
        if (closed.get()) {
            throw new IOException("the driver is closed");
        }
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        agent.attach(pair[0]);
        if (closed.get()) {
            // The agent may have ended meanwhile, and then no thread serves the other end.
            pair[0].close();
            pair[1].close();
            throw new IOException("the driver is closed");
        }
        return pair[1];
    }

    /** Stops the driver, frees all memory and removes its socket. A second call does nothing. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        policy.close();
        agent.stop();
        runner.close();
        if (engine != null) {
            engine.close();
        }
        if (directory != null) {
            try {
                directory.close();
            } catch (IOException e) {
                LOG.log(Level.WARNING, "the driver's directory was not cleaned up: {0}", e.getMessage());
            }
        }
    }

    /**
     * The name of the device that copies.
     *
     * @return as the device reports it; several joined by plus signs
     */
    public String deviceName() {
        return deviceName;
    }

    @Override
    public String toString() {
        return "driver with " + deviceName;
    }

    private static void logError(Throwable error) {
        if (!(error instanceof AgentTerminationException)) {
            CYCLE_FAILED.log(error);
        }
    }
}
