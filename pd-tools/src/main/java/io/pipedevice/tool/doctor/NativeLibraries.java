// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The native libraries by which programs bypass java.nio, and those that seem to. */
final class NativeLibraries {
    /** The meaning of a library, by its name. */
    private record Known(Pattern name, Function<Matcher, Finding> meaning) {}

    private static final List<Known> KNOWN = List.of(
            known("lib(.*?)netty_transport_native_(epoll|io_uring)\\d*_.*", NativeLibraries::nettyTransport),
            known(
                    "lib.*netty_quiche.*",
                    name -> Finding.note("netty-quic", "QUIC is UDP: its connections stay on the kernel")),
            known("lib.*netty_tcnative.*|libtcnative-2\\..*|libwfssl.*|libconscrypt.*", NativeLibraries::openSsl),
            known(
                    "libtcnative-1\\..*",
                    name -> Finding.note(
                            "tomcat-native",
                            "Tomcat's APR connector would bypass java.nio; server.xml should name"
                                    + " protocol=\"org.apache.coyote.http11.Http11NioProtocol\", which keeps OpenSSL")),
            known("libaeron.*", name -> Finding.note("aeron", "Aeron's own transport is not TCP, and stays as it is")),
            known(
                    "libjunixsocket-native.*|libjnr.*unixsocket.*",
                    name -> Finding.note("unix-sockets", "Unix sockets are not TCP, and stay as they are")),
            known("lib(vma|xlio|onload)\\..*", NativeLibraries::replacesSockets));

    private NativeLibraries() {}

    private static Known known(String name, Function<Matcher, Finding> meaning) {
        return new Known(Pattern.compile(name), meaning);
    }

    /** Findings for the libraries that a JVM has mapped, each kind once, and for the transports that it does not use. */
    static List<Finding> findings(JvmFacts jvm) {
        return findings(jvm.files(), jvm.switchedTransports());
    }

    /**
     * As {@link #findings(JvmFacts)}.
     *
     * @param paths of the libraries
     * @param switched names of classes of Netty, which has loaded its library all the same
     */
    static List<Finding> findings(Collection<String> paths, List<String> switched) {
        List<Finding> findings = new ArrayList<>();
        for (Known known : KNOWN) {
            for (String path : paths) {
                Matcher name = known.name().matcher(path.substring(path.lastIndexOf('/') + 1));
                if (name.matches() && !isSwitched(name, switched)) {
                    findings.add(known.meaning().apply(name));
                    break;
                }
            }
        }
        for (String type : switched) {
            findings.add(Finding.note(
                    "netty-switched",
                    type
                            + " says that its transport is unavailable, so that the program uses java.nio; code that does not"
                            + " ask still uses it (other-tcp), and -Dpipedevice.netty=off makes it available"));
        }
        return findings;
    }

    /** The finding about a library by which connections bypass java.nio; null if no such library is mapped. */
    static Finding bypass(JvmFacts jvm) {
        return findings(jvm).stream().filter(Finding::isProblem).findFirst().orElse(null);
    }

    /** A relocated copy of Netty has its switch under the relocated name, which the library's name shows. */
    private static Finding nettyTransport(Matcher name) {
        return Finding.problem(
                "netty-" + name.group(2).replace('_', '-'),
                "Netty's own " + name.group(2) + " transport bypasses java.nio; start the program with -D"
                        + packages(name) + "io.netty.transport.noNative=true");
    }

    /** Where a copy of Netty was relocated to, with a dot at its end; empty for Netty itself. */
    private static String packages(Matcher name) {
        return name.group(1).replace("_1", "\0").replace('_', '.').replace('\0', '_');
    }

    private static boolean isSwitched(Matcher name, List<String> switched) {
        if (name.groupCount() < 2) {
            return false;
        }
        String part = name.group(2).equals("epoll") ? ".channel.epoll." : ".channel.uring.";
        return switched.stream().anyMatch(type -> type.startsWith(packages(name) + "io.netty.") && type.contains(part));
    }

    private static Finding openSsl(Matcher name) {
        return Finding.note("openssl", "TLS in native code works over java.nio, and so over rings");
    }

    private static Finding replacesSockets(Matcher name) {
        return Finding.problem(
                "replaced-sockets",
                name.group() + " replaces the C library's sockets; start the program without LD_PRELOAD");
    }
}
