// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import io.pipedevice.linux.LazyLogger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * Registers the counters with the JVM's MBean server, once there is one. Starting the server would take longer than
 * starting a JVM.
 */
final class ManagementBean implements PipeDeviceMXBean {
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("java.management").isPresent();

    private static final AtomicBoolean REGISTERED = new AtomicBoolean(!PRESENT);

    private ManagementBean() {}

    /** Registers the bean unless that is done or there is no server yet. Any thread; called at every connection. */
    static void offer() {
        if (!REGISTERED.get()) {
            Server.register();
        }
    }

    /** Loaded only where the module is present. */
    private static final class Server {
        static void register() {
            for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
                // The platform's server is the first one with this domain.
                if (server.getDefaultDomain().equals("DefaultDomain") && !REGISTERED.getAndSet(true)) {
                    register(server);
                }
            }
        }

        private static void register(MBeanServer server) {
            try {
                StandardMBean bean = new StandardMBean(new ManagementBean(), PipeDeviceMXBean.class, true);
                server.registerMBean(bean, new ObjectName(NAME));
            } catch (JMException | RuntimeException e) {
                new LazyLogger("io.pipedevice")
                        .get()
                        .log(System.Logger.Level.WARNING, "counters are not available as " + NAME + ": " + e);
            }
        }
    }

    @Override
    public long getOpenConnections() {
        return Statistics.open();
    }

    @Override
    public long getConnectedAsClient() {
        return Statistics.connectedAsClient();
    }

    @Override
    public long getAccepted() {
        return Statistics.accepted();
    }

    @Override
    public long getDirectConnections() {
        return Statistics.direct();
    }

    @Override
    public long getDeviceConnections() {
        return Statistics.throughDevice();
    }

    @Override
    public long getProtocolViolations() {
        return Statistics.violations();
    }

    @Override
    public Map<String, Long> getOnKernel() {
        Map<String, Long> reasons = new LinkedHashMap<>();
        for (KernelReason reason : KernelReason.values()) {
            reasons.put(reason.name(), Statistics.onKernelBecause(reason));
        }
        return reasons;
    }

    @Override
    public long getBytesSent() {
        return Statistics.bytesSent();
    }

    @Override
    public long getBytesReceived() {
        return Statistics.bytesReceived();
    }

    @Override
    public long getRingBytes() {
        return Statistics.ringBytes();
    }

    @Override
    public long getRingBudget() {
        return Statistics.ringBudget();
    }

    @Override
    public long getRingGrowthsRefused() {
        return Statistics.growthsRefused();
    }

    @Override
    public long getWritesCutShort() {
        return Statistics.writesCut();
    }

    @Override
    public long getWritesThatWaited() {
        return Statistics.writesWaited();
    }
}
