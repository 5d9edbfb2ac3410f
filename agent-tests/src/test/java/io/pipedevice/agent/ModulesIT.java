// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.Regions;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.lib.PipeDevice;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.nodes.Node;

/** The jars that programs compile against, on the module path of a program that is a module. */
@Timeout(240)
class ModulesIT {
    private static final String MODULE = """
            module app {
                requires io.pipedevice.device;
                requires io.pipedevice.active;
            }
            """;

    /** A driver, a connection of PD Lib and a region, in one program. */
    private static final String PROGRAM = """
            package app;

            import io.pipedevice.active.*;
            import io.pipedevice.driver.*;
            import io.pipedevice.lib.*;
            import java.net.*;

            public final class Main {
                public static void main(String[] args) throws Exception {
                    try (PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext());
                            PipeDevice device = PipeDevice.init(driver);
                            PdListener listener =
                                    device.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
                            PdConnection client = device.connect(listener.localAddress(), 65536);
                            PdConnection server = listener.accept(PipeDevice.FOREVER);
                            Regions regions = Regions.attach(driver);
                            Region region = regions.register("table", 4096, Grant.anyone(Right.READ))) {
                        PdBuffer block = new PdBuffer();
                        client.malloc(5, block);
                        block.asByteBuffer().put("hello".getBytes());
                        client.send(block, 5);
                        PdBuffer received = new PdBuffer();
                        byte[] bytes = new byte[server.recv(5, received, PipeDevice.FOREVER)];
                        received.asByteBuffer().get(bytes);
                        server.recvDone(bytes.length);
                        System.out.println(new String(bytes) + " from " + Main.class.getModule() + " by "
                                + device.getClass().getModule());
                    }
                }
            }
            """;

    private static final String MODULE_PATH = Stream.of(
                    PipeDevice.class, Regions.class, PipeDeviceDriver.class, Agent.class, Node.class)
            .map(each ->
                    each.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(File.pathSeparator));

    @TempDir
    private Path directory;

    /** Compiles a module of one class; returns what the compiler says. */
    private String compile(String program) throws IOException {
        Path module = Files.writeString(directory.resolve("module-info.java"), MODULE);
        Path main = Files.writeString(directory.resolve("Main.java"), program);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options =
                List.of("-p", MODULE_PATH, "-d", directory.resolve("classes").toString());
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(module, main))
                    .call();
        }
        return messages.toString();
    }

    @Test
    void aModuleUsesPdLibADriverAndRegions() throws Exception {
        assertEquals("", compile(PROGRAM));
        Jvm.Result result = Jvm.java(
                        "-p",
                        MODULE_PATH + File.pathSeparator + directory.resolve("classes"),
                        "--enable-native-access=io.pipedevice.lib",
                        "--add-exports=java.base/jdk.internal.misc=org.agrona",
                        "-m",
                        "app/app.Main")
                .run();
        assertEquals(List.of("hello from module app by module io.pipedevice.lib"), result.out(), result::toString);
    }

    @Test
    void theRestIsClosedToOtherModules() throws IOException {
        String messages = compile("package app; class Main { io.pipedevice.linux.Fd fd; }");
        assertTrue(messages.contains("package io.pipedevice.linux is not visible"), messages);
    }
}
