// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A program for a JVM of its own, with only the options that it would have without PipeDevice.
 *
 * @param name for messages
 * @param words the words after the JVM's options
 * @param environment additional variables of its environment
 * @param wrapper a command that replaces itself by the JVM's, such as nsenter(1); empty for none
 * @param java the JVM's own command
 */
record JavaCommand(String name, List<String> words, Map<String, String> environment, List<String> wrapper, Path java) {
    /** For libraries with native code, about which the JDK warns. */
    static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    JavaCommand(String name, List<String> words) {
        this(name, words, Map.of(), List.of(), Path.of(System.getProperty("java.home"), "bin", "java"));
    }

    /** A program of this module, with the libraries that it uses and nothing else on its class path. */
    static JavaCommand program(String name, Library library, String... arguments) {
        List<String> words = new ArrayList<>();
        words.add("-cp");
        words.add(library.classPath());
        words.add("io.pipedevice.compat.programs." + name);
        words.addAll(List.of(arguments));
        return new JavaCommand(name, words);
    }

    /** A main class of a library. */
    static JavaCommand main(String mainClass, Library library, String... arguments) {
        List<String> words = new ArrayList<>(List.of("-cp", library.classPath(), mainClass));
        words.addAll(List.of(arguments));
        return new JavaCommand(mainClass.substring(mainClass.lastIndexOf('.') + 1), words);
    }

    /** The same with options for its JVM that users would also give to it. */
    JavaCommand with(String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(words);
        return new JavaCommand(name, all, environment, wrapper, java);
    }

    /** The same with arguments after its other ones. */
    JavaCommand and(String... arguments) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(arguments));
        return new JavaCommand(name, all, environment, wrapper, java);
    }

    /** The same with additional variables in its environment. */
    JavaCommand in(Map<String, String> more) {
        return new JavaCommand(name, words, more, wrapper, java);
    }

    /** The same, started by another command. */
    JavaCommand by(List<String> starter) {
        return new JavaCommand(name, words, environment, starter, java);
    }

    /** The same on another JDK than the tests'. */
    JavaCommand on(Path other) {
        return new JavaCommand(name, words, environment, wrapper, other);
    }

    /** A sample program of java.nio. */
    static JavaCommand sample(String name, String... arguments) {
        Path classes = Path.of("..", "samples", "target", "classes").toAbsolutePath();
        List<String> words =
                new ArrayList<>(List.of("-cp", classes.normalize().toString(), "io.pipedevice.samples.nio." + name));
        words.addAll(List.of(arguments));
        return new JavaCommand(name, words);
    }

    /** A program that comes with the JDK. */
    static JavaCommand module(String module, String... arguments) {
        List<String> words = new ArrayList<>(List.of("-m", module));
        words.addAll(List.of(arguments));
        return new JavaCommand(module, words);
    }

    List<String> line(List<String> options) {
        List<String> line = new ArrayList<>(wrapper);
        line.add(java.toString());
        line.addAll(options);
        line.addAll(words);
        return line;
    }

    /** The class path of a program, and nothing else. */
    enum Library {
        NONE("", null),
        NETTY("(netty|slf4j)-.*", null),
        JETTY("(jetty|slf4j)-.*", null),
        AGENTS(null, "agents"),
        ARMERIA(null, "armeria"),
        ARTEMIS(null, "artemis"),
        CASSANDRA(null, "cassandra"),
        CASSANDRA_SERVER(null, "cassandra-server"),
        H2(null, "h2"),
        KAFKA(null, "kafka"),
        ZOOKEEPER(null, "zookeeper"),
        ACTIVEMQ(null, "activemq"),
        DERBY(null, "derby"),
        FLINK(null, "flink"),
        GRPC(null, "grpc"),
        REDIS(null, "redis"),
        HAZELCAST(null, "hazelcast"),
        HTTP(null, "http"),
        JEDIS(null, "jedis"),
        JGROUPS(null, "jgroups"),
        POSTGRESQL(null, "postgresql"),
        PULSAR(null, "pulsar"),
        PULSAR_CLIENT(null, "pulsar-client"),
        REACTOR(null, "reactor"),
        SPARK(null, "spark"),
        SPARK_CLUSTER(null, "spark-cluster"),
        SSHD(null, "sshd"),
        TOMCAT(null, "tomcat"),
        UNDERTOW(null, "undertow");

        private final String jars;
        private final String module;

        Library(String jars, String module) {
            this.jars = jars;
            this.module = module;
        }

        /** Computed on demand, because not every module is built in every profile. */
        private List<String> entries() {
            return module == null ? jars(jars) : module(module);
        }

        /** The programs of this module, and the jars of its class path whose names match. */
        private static List<String> jars(String names) {
            List<String> entries = new ArrayList<>(
                    List.of(Path.of("target", "classes").toAbsolutePath().toString()));
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                if (fileName(entry).matches(names)) {
                    entries.add(entry);
                }
            }
            return entries;
        }

        /** A module of compat-tests/programs. */
        private static List<String> module(String name) {
            List<String> entries =
                    new ArrayList<>(List.of(programs(name, "classes").toString()));
            try {
                String dependencies = Files.readString(programs(name, "class-path"));
                entries.addAll(List.of(dependencies.split(File.pathSeparator, -1)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return entries;
        }

        private static Path programs(String module, String target) {
            return Path.of("programs", module, "target", target)
                    .toAbsolutePath()
                    .normalize();
        }

        private static String fileName(String entry) {
            return Path.of(entry).getFileName().toString();
        }

        private String classPath() {
            return programs("common", "classes") + File.pathSeparator + String.join(File.pathSeparator, entries());
        }

        /** The path of one of its jars. */
        String jar(String artifact) {
            return entries().stream()
                    .filter(entry -> fileName(entry).startsWith(artifact + "-"))
                    .findAny()
                    .orElseThrow(() -> new AssertionError("no " + artifact));
        }

        /** The version of one of its jars. */
        String version(String artifact) {
            return entries().stream()
                    .map(Library::fileName)
                    .filter(name -> name.matches(Pattern.quote(artifact) + "-[0-9].*\\.jar"))
                    .map(name -> name.substring(artifact.length() + 1, name.length() - ".jar".length()))
                    .findAny()
                    .orElseThrow(() -> new AssertionError("no " + artifact));
        }
    }
}
