// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a JVM was started: its command line, including argument files, and the options that its environment adds.
 * Immutable.
 */
final class JvmOptions {
    private static final String AGENT = "-javaagent:";
    private static final String AGENT_CLASS = "io.pipedevice.agent.PipeDeviceAgent";

    /** Options of the launcher whose value is the next word. */
    private static final Set<String> WITH_VALUE = Set.of(
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--upgrade-module-path",
            "--add-modules",
            "--add-exports",
            "--add-opens",
            "--add-reads",
            "--patch-module",
            "--limit-modules",
            "--enable-native-access",
            "--describe-module",
            "--source");

    /** Splits like the JVM splits its variables: quotes of either kind group, anywhere in a word. */
    private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|'[^']*'|[^\\s\"'])+");

    private final Path root;
    private final Path workingDirectory;
    private final List<String> options = new ArrayList<>();
    private String program = "";

    /**
     * Reads the options of a process.
     *
     * @param directory of the process under /proc, or a copy
     * @param root the process's root directory
     * @param workingDirectory the process's working directory
     * @throws IOException if there is no such process or it may not be inspected
     */
    JvmOptions(Path directory, Path root, Path workingDirectory) throws IOException {
        this.root = root;
        this.workingDirectory = workingDirectory;
        for (String variable : words(directory.resolve("environ"))) {
            if (variable.startsWith("JAVA_TOOL_OPTIONS=")
                    || variable.startsWith("JDK_JAVA_OPTIONS=")
                    || variable.startsWith("_JAVA_OPTIONS=")) {
                options.addAll(split(variable.substring(variable.indexOf('=') + 1)));
            }
        }
        List<String> line = new ArrayList<>();
        List<String> words = words(directory.resolve("cmdline"));
        for (String word : words.subList(Math.min(1, words.size()), words.size())) {
            line.addAll(expanded(word));
        }
        readCommandLine(line);
    }

    private static List<String> words(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        return text.isEmpty() ? List.of() : List.of(text.split("\0", -1));
    }

    /** The words of a variable or a file, without their quotes. */
    static List<String> split(String text) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(text);
        while (matcher.find()) {
            words.add(matcher.group().replaceAll("[\"']", ""));
        }
        return words;
    }

    private List<String> expanded(String word) {
        if (!word.startsWith("@") || word.startsWith("@@")) {
            return List.of(word);
        }
        try {
            return split(Files.readString(outside(word.substring(1))).replaceAll("(?m)^\\s*#.*$", ""));
        } catch (IOException | InvalidPathException e) {
            return List.of();
        }
    }

    private void readCommandLine(List<String> line) {
        for (int i = 0; i < line.size(); i++) {
            String word = line.get(i);
            boolean names = word.equals("-jar") || word.equals("-m") || word.equals("--module");
            if (names || !word.startsWith("-")) {
                String main = names && i + 1 < line.size() ? line.get(i + 1) : word;
                program = main.endsWith(".jar") ? main.substring(main.lastIndexOf('/') + 1) : main;
                return;
            }
            options.add(word);
            if (WITH_VALUE.contains(word)) {
                i++;
            }
        }
    }

    /** Translates a path of the process to a path of this process. */
    Path outside(String path) {
        return path.startsWith("/") ? root.resolve(path.substring(1)) : workingDirectory.resolve(path);
    }

    /** The main class, or the jar or module that has it; empty if the command line does not say. */
    String program() {
        return program.replaceAll("\\P{Print}", "?");
    }

    /** Whether the options name PipeDevice's agent. */
    boolean hasAgent() {
        for (String option : options) {
            if (option.startsWith(AGENT) && isOurs(option.substring(AGENT.length()))) {
                return true;
            }
        }
        return false;
    }

    private boolean isOurs(String agent) {
        int end = agent.indexOf('=');
        String path = end < 0 ? agent : agent.substring(0, end);
        try (JarFile jar = new JarFile(outside(path).toFile())) {
            return jar.getManifest() != null
                    && AGENT_CLASS.equals(jar.getManifest().getMainAttributes().getValue("Premain-Class"));
        } catch (IOException | InvalidPathException e) {
            return path.substring(path.lastIndexOf('/') + 1).startsWith("pipedevice");
        }
    }

    /** Whether the sockets of java.net are the JDK's own in this JVM. */
    boolean leavesSocketsToJdk() {
        return !hasAgent() || "channels".equals(property("pipedevice.sockets"));
    }

    /** Whether the last option that sets a flag of the JVM turns it on. */
    boolean isOn(String flag) {
        return options.lastIndexOf("-XX:+" + flag) > options.lastIndexOf("-XX:-" + flag);
    }

    /** The value of a system property, from the last option that sets it; null if there is none. */
    String property(String name) {
        String start = "-D" + name;
        String value = null;
        for (String option : options) {
            if (option.equals(start)) {
                value = "";
            } else if (option.startsWith(start + "=")) {
                value = option.substring(start.length() + 1);
            }
        }
        return value;
    }

    /** The names of the system properties that begin with a prefix, each once, without control characters. */
    Set<String> propertyNames(String prefix) {
        Set<String> names = new LinkedHashSet<>();
        for (String option : options) {
            if (option.startsWith("-D" + prefix)) {
                String name = option.substring(2).split("=", 2)[0];
                names.add(name.replaceAll("\\P{Print}", "?"));
            }
        }
        return names;
    }
}
