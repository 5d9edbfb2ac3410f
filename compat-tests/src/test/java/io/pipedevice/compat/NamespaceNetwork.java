// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.test.Namespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Network namespaces on a bridge, and a driver that introduces their programs to each other, as on a host with
 * containers. The bridge is in a namespace of its own. A process that only waits for the end of its input keeps each
 * namespace, so that all of this ends with the JVM of the test at the latest. Tests of users other than root are
 * skipped. One thread.
 */
final class NamespaceNetwork implements Network, BeforeEachCallback, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(NamespaceNetwork.class);

    /** With it a program says why a connection stays on the kernel, which is printed if the test fails. */
    private static final String LOGGING = """
            handlers=java.util.logging.ConsoleHandler
            java.util.logging.ConsoleHandler.level=FINE
            io.pipedevice.level=FINE
            """;

    private final int size;
    private final List<Program> keepers = new ArrayList<>();
    private DriverProgram driver;
    private Path logging;

    /** Creates a network of namespaces, each for one member. */
    NamespaceNetwork(int size) {
        this.size = size;
    }

    @Override
    public void beforeEach(ExtensionContext test) throws IOException, InterruptedException {
        assumeTrue(!Stage.BY_DRIVER, "these tests have a driver of their own");
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may make network namespaces");
        for (String command : List.of("unshare", "nsenter", "ip")) {
            assumeTrue(Program.isInstalled(command), () -> command + " is not installed");
        }
        // JUnit closes it even if the rest of this method fails.
        test.getStore(NAMESPACE).put(NamespaceNetwork.class, (AutoCloseable) this::close);
        Program bridge = keep("bridge");
        Namespaces.in(bridge.pid(), "ip link add bridge type bridge; ip link set bridge up");
        for (int member = 0; member < size; member++) {
            join(bridge, keep("namespace " + member), member);
        }
        logging = Files.writeString(Files.createTempFile("logging", ".properties"), LOGGING);
        driver = new DriverProgram();
    }

    /** Makes a namespace, and returns the process that keeps it. */
    private Program keep(String name) throws IOException, InterruptedException {
        Program keeper =
                Stage.endWithTests(Program.start(name, List.of("unshare", "-n", "sh", "-c", "echo MADE && exec cat")));
        keepers.add(keeper);
        keeper.await("MADE");
        return keeper;
    }

    private void join(Program bridge, Program keeper, int member) throws IOException {
        String name = "member" + member;
        Namespaces.in(
                bridge.pid(),
                "ip link add " + name + " type veth peer name eth0 netns " + keeper.pid() + "; ip link set " + name
                        + " master bridge up");
        Namespaces.in(
                keeper.pid(),
                "ip link set lo up; ip address add " + address(member) + "/24 dev eth0; ip link set eth0 up");
    }

    @Override
    public void afterEach(ExtensionContext test) throws IOException {
        if (driver != null && test.getExecutionException().isPresent()) {
            System.err.println(driver.log());
        }
    }

    @Override
    public String address(int member) {
        return "10.80.0." + (member + 1);
    }

    @Override
    public JavaCommand at(int member, JavaCommand command) {
        return command.with("-Dpipedevice.driver=" + driver.directory(), "-Djava.util.logging.config.file=" + logging)
                .by(Namespaces.wrapper(keepers.get(1 + member).pid()));
    }

    /** The driver has introduced programs: their connections did not come to be on rings in another way. */
    void introduced() throws IOException {
        assertTrue(driver.introduced() > 0, driver.log());
    }

    private void close() throws IOException {
        try {
            if (driver != null) {
                driver.close();
            }
        } finally {
            driver = null;
            keepers.forEach(Stage::close);
            keepers.clear();
            if (logging != null) {
                Files.delete(logging);
                logging = null;
            }
        }
    }
}
