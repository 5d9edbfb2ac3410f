// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What the tests of this package have in common. */
final class Injections {
    static final String AGENT = "-javaagent:/opt/pipedevice/pipedevice-agent.jar";
    static final String FLAGS = AGENT + " -Dpipedevice.driver=/run/pipedevice";

    private Injections() {}

    static Injection plain(String... containers) {
        return of(JarDelivery.INIT_CONTAINER, Set.of(containers), null, null);
    }

    static Injection withDriver() {
        return of(JarDelivery.INIT_CONTAINER, Set.of(), "/run/pipedevice", null);
    }

    static Injection withDriverIn(String volume) {
        return of(JarDelivery.INIT_CONTAINER, Set.of(), "/run/pipedevice", volume);
    }

    static Injection byImageVolume() {
        return of(JarDelivery.IMAGE_VOLUME, Set.of(), null, null);
    }

    private static Injection of(JarDelivery delivery, Set<String> containers, String driver, String volume) {
        return new Injection(
                delivery,
                "localhost/pipedevice:latest",
                "IfNotPresent",
                "/opt/pipedevice/pipedevice-agent.jar",
                "/opt/pipedevice",
                containers,
                driver,
                volume);
    }

    static String inject(String text, Injection injection) throws KubeException {
        return inject(text, injection, new ArrayList<>());
    }

    static String inject(String text, Injection injection, List<String> notes) throws KubeException {
        return new Manifests("pods.yaml", notes::add).inject(text, injection);
    }

    static String remove(String text) throws KubeException {
        return new Manifests("pods.yaml", note -> {}).remove(text);
    }

    /** The values of all documents, without lists that are empty or null, which mean the same as none. */
    static List<Object> meaning(String text) {
        List<Object> documents = new ArrayList<>();
        new Load(LoadSettings.builder().build()).loadAllFromString(text).forEach(each -> documents.add(cleaned(each)));
        return documents;
    }

    private static Object cleaned(Object value) {
        if (value instanceof List<?> list) {
            List<Object> made = new ArrayList<>();
            list.forEach(each -> made.add(cleaned(each)));
            return made;
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> made = new LinkedHashMap<>();
            map.forEach((key, each) -> {
                if (each != null && !each.equals(List.of()) && !(key.equals("value") && each.equals(""))) {
                    made.put(key, cleaned(each));
                }
            });
            return made;
        }
        return value;
    }
}
