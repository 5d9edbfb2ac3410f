// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import io.pipedevice.property.EnumWords;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Adds PipeDevice to the pod templates of manifests, or takes it out of them. */
@Command(
        name = "inject",
        description = "Add PipeDevice to the pods of manifests in YAML or JSON.",
        footer = {
            "",
            "Reads standard input, or the file of -f, and writes to standard output. Nothing but the pod",
            "templates changes, and a second run changes nothing:",
            "",
            "  pipedevice kube inject --driver /run/pipedevice < pods.yaml | kubectl apply -f -"
        })
final class InjectCommand implements Callable<Integer> {
    /** More than all objects of a namespace usually take. */
    static final int MOST_BYTES = 32 << 20;

    private static final String STDIN = "-";
    private static final Pattern PATH = Pattern.compile("(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)+");
    private static final String PATHS = "an absolute path of names with letters, digits, dots, hyphens and underscores";
    private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");
    private static final String NAMES = "at most 63 small letters, digits and hyphens within";
    private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,511}");
    private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");

    /** The address of a Unix socket is short. */
    private static final int MOST_DRIVER = 95;

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            defaultValue = STDIN,
            description = "The manifests; - for standard input (default: ${DEFAULT-VALUE}).")
    private String file;

    @Option(names = "--remove", description = "Take out what this command has added, by whatever options.")
    private boolean isRemoved;

    @Option(
            names = "--container",
            paramLabel = "NAME",
            description = "Only in containers of this name; may be repeated (default: all but init containers).")
    private List<String> containers = List.of();

    @Option(
            names = "--driver",
            paramLabel = "DIR",
            description = "The directory of the driver, on the node and in the containers (default: no driver).")
    private String driver;

    @Option(
            names = "--driver-volume",
            paramLabel = "NAME",
            description = "The volume of the pod with the driver's directory, in place of the node's.")
    private String driverVolume;

    @Option(
            names = "--delivery",
            paramLabel = "WAY",
            defaultValue = "init-container",
            description = "How the jar comes: by an init-container that copies it, or by an image-volume of"
                    + " Kubernetes 1.36 (default: ${DEFAULT-VALUE}).")
    private String delivery;

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            defaultValue = "localhost/pipedevice:latest",
            description = "The image with the jar (default: ${DEFAULT-VALUE}).")
    private String image;

    @Option(
            names = "--image-jar",
            paramLabel = "PATH",
            defaultValue = "/opt/pipedevice/" + JvmFlags.JAR,
            description = "The jar in the image (default: ${DEFAULT-VALUE}).")
    private String imageJar;

    @Option(
            names = "--pull-policy",
            paramLabel = "POLICY",
            defaultValue = "IfNotPresent",
            description = "Of the image: Always, IfNotPresent or Never (default: ${DEFAULT-VALUE}).")
    private String pullPolicy;

    @Option(
            names = "--mount",
            paramLabel = "DIR",
            defaultValue = "/opt/pipedevice",
            description = "The directory of the jar in the containers (default: ${DEFAULT-VALUE}).")
    private String mount;

    @Override
    public Integer call() throws IOException, KubeException {
        if (isRemoved) {
            checkAlone(spec.commandLine().getParseResult());
        }
        Injection injection = isRemoved ? null : injection();
        String name = file.equals(STDIN) ? "(standard input)" : file;
        Manifests manifests = new Manifests(name, note -> {
            spec.commandLine().getErr().println("pipedevice: " + note);
            spec.commandLine().getErr().flush();
        });
        String text = read(name);
        String changed = isRemoved ? manifests.remove(text) : manifests.inject(text, injection);
        // In UTF-8, whatever the locale says, as it was read.
        System.out.write(changed.getBytes(StandardCharsets.UTF_8));
        System.out.flush();
        if (System.out.checkError()) {
            throw new IOException("standard output cannot be written");
        }
        return CommandLine.ExitCode.OK;
    }

    private void checkAlone(ParseResult parsed) {
        for (CommandLine.Model.OptionSpec each : parsed.matchedOptions()) {
            if (!Set.of("--remove", "--file", "--verbose").contains(each.longestName())) {
                throw new ParameterException(
                        spec.commandLine(), "--remove goes with --file alone, not with " + each.longestName());
            }
        }
    }

    private Injection injection() {
        JarDelivery way = EnumWords.parse(JarDelivery.class, delivery);
        if (way == null) {
            throw refused("--delivery", delivery, String.join(", ", EnumWords.of(JarDelivery.class)));
        }
        for (String each : containers) {
            check("--container", each, NAME, NAMES);
        }
        if (driver != null) {
            check("--driver", driver, PATH, PATHS);
            if (driver.length() > MOST_DRIVER) {
                throw refused("--driver", driver, "at most " + MOST_DRIVER + " characters");
            }
        }
        if (driverVolume != null) {
            check("--driver-volume", driverVolume, NAME, NAMES);
            if (driver == null) {
                throw new ParameterException(spec.commandLine(), "--driver-volume needs --driver DIR");
            }
        }
        check("--image", image, IMAGE, "the name of an image, such as registry.example.com/pipedevice:1");
        check("--image-jar", imageJar, PATH, PATHS);
        if (way == JarDelivery.IMAGE_VOLUME && !imageJar.endsWith("/" + JvmFlags.JAR)) {
            throw refused(
                    "--image-jar", imageJar, "with --delivery image-volume, a path that ends in /" + JvmFlags.JAR);
        }
        if (!PULL_POLICIES.contains(pullPolicy)) {
            throw refused("--pull-policy", pullPolicy, String.join(", ", PULL_POLICIES));
        }
        check("--mount", mount, PATH, PATHS);
        if (mount.equals(driver)) {
            throw refused("--mount", mount, "another directory than that of --driver");
        }
        return new Injection(
                way, image, pullPolicy, imageJar, mount, new LinkedHashSet<>(containers), driver, driverVolume);
    }

    private void check(String option, String value, Pattern pattern, String allowed) {
        if (!pattern.matcher(value).matches()) {
            throw refused(option, value, allowed);
        }
    }

    private ParameterException refused(String option, String value, String allowed) {
        return new ParameterException(spec.commandLine(), option + ": " + value + "; allowed: " + allowed);
    }

    private String read(String name) throws IOException, KubeException {
        byte[] bytes;
        try (InputStream in = file.equals(STDIN) ? System.in : Files.newInputStream(Path.of(file))) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        if (bytes.length > MOST_BYTES) {
            throw new KubeException(name, "is longer than " + MOST_BYTES + " bytes");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new KubeException(name, "is not in UTF-8");
        }
    }
}
