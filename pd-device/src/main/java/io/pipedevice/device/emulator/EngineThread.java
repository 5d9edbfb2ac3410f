// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import io.pipedevice.linux.LimitedLog;
import java.lang.System.Logger.Level;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;

/**
 * A thread that runs an emulator's engine, for machines with a core to spare. While there is nothing to do it spins for
 * less time than a wake-up takes, then parks until a lane is flushed.
 *
 * <p>The driver's thread starts and closes it. It is closed before the emulator, which can be polled again afterwards.
 */
public final class EngineThread implements AutoCloseable {
    /** Name of the thread, and role of the agent. */
    public static final String ROLE_NAME = "pd-engine";

    private static final LimitedLog FAILED =
            LimitedLog.of("io.pipedevice.device", Level.ERROR, "error on the engine''s thread", 1);
    private static final int IDLE_ROUNDS = Runtime.getRuntime().availableProcessors() > 1 ? 200 : 0;

    private final EngineHost host;
    private final AgentRunner runner;

    private EngineThread(EngineHost host) {
        this.host = host;
        this.runner = new AgentRunner(new ParkWhenIdle(host), EngineThread::log, null, new Work(host));
    }

    /**
     * Starts the thread.
     *
     * @param emulator not closed; from now on its {@link DmaEmulator#poll} does nothing
     * @return the thread, which the caller closes
     * @throws IllegalStateException if the emulator has a thread already
     */
    public static EngineThread start(DmaEmulator emulator) {
        EngineHost host = emulator.host();
        if (host.isHosted()) {
            throw new IllegalStateException(emulator.name() + " has a thread already");
        }
        EngineThread thread = new EngineThread(host);
        host.setHosted(true);
        AgentRunner.startOnThread(thread.runner, task -> {
            Thread result = new Thread(task, ROLE_NAME);
            result.setDaemon(true);
            return result;
        });
        return thread;
    }

    private static void log(Throwable error) {
        if (!(error instanceof AgentTerminationException)) {
            FAILED.log(error);
        }
    }

    /** Stops the thread and waits for its end. A second call does nothing. */
    @Override
    public void close() {
        if (!runner.isClosed()) {
            host.stop();
            runner.close();
            host.setHosted(false);
        }
    }

    /** The engine as an agent. */
    private static final class Work implements Agent {
        private final EngineHost host;

        Work(EngineHost host) {
            this.host = host;
        }

        @Override
        public int doWork() {
            return host.work();
        }

        @Override
        public String roleName() {
            return ROLE_NAME;
        }
    }

    /** Spins for a bounded number of rounds, then sleeps. */
    private static final class ParkWhenIdle implements IdleStrategy {
        private final EngineHost host;
        private int rounds;

        ParkWhenIdle(EngineHost host) {
            this.host = host;
        }

        @Override
        public void idle(int workCount) {
            if (workCount > 0) {
                reset();
            } else {
                idle();
            }
        }

        @Override
        public void idle() {
            if (rounds < IDLE_ROUNDS) {
                rounds++;
                Thread.onSpinWait();
            } else {
                host.sleep();
                reset();
            }
        }

        @Override
        public void reset() {
            rounds = 0;
        }
    }
}
