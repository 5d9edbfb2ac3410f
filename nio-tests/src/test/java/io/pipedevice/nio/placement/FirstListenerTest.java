// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.peer.rendezvous.PeerOptions;
import io.pipedevice.test.ChildJvm;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sun.nio.ch.DefaultSelectorProvider;

/**
 * A server publishes its rings almost immediately after it has the kernel's port, even if it is the first of its JVM.
 */
@Timeout(60)
class FirstListenerTest {
    private static final String COUNT = "LOADED ";
    private static final int FEW = 10;

    /** Prints the number of classes that the first listener of this JVM loads. */
    static final class Program {
        public static void main(String[] arguments) {
            ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
            PeersPlacement rings = new PeersPlacement(PeerOptions.read(), new Locality(DefaultSelectorProvider.get()));
            if (arguments.length > 0) {
                rings.warmUp();
            }
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
            long before = classes.getTotalLoadedClassCount();
            RingListener listener = rings.listen(null, address, 1, 0, () -> {});
            listener.publish(address);
            System.out.println(COUNT + (classes.getTotalLoadedClassCount() - before));
            listener.close();
        }
    }

    @Test
    void loadsNothingWhenItsNetworkIsReady() throws Exception {
        try (ChildJvm program = ChildJvm.start(List.of(), ChildJvm.inheritedFlags(), Program.class, "ready")) {
            int loaded = Integer.parseInt(program.expect(COUNT));
            // Without the preparation it loads hundreds.
            assertTrue(loaded < FEW, loaded + " classes");
        }
    }
}
