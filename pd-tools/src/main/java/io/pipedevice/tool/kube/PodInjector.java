// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import io.pipedevice.tool.kube.YamlNode.Mapping;
import io.pipedevice.tool.kube.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Adds one {@link Injection} to pod templates that have none. */
final class PodInjector {
    static final String VOLUMES = "volumes";
    static final String CONTAINERS = "containers";
    static final String INIT_CONTAINERS = "initContainers";

    /** Linux passes no longer variable to a program. */
    private static final int MOST_OPTIONS = 128 << 10;

    private final Injection injection;

    PodInjector(Injection injection) {
        this.injection = injection;
    }

    /** The containers of a template that are to have the agent: those that are chosen, and those that have it. */
    List<PodContainer> targets(PodTemplate template) throws KubeException {
        List<PodContainer> found = new ArrayList<>();
        for (PodContainer each : template.containers(INIT_CONTAINERS)) {
            if (!each.name().equals(Injection.JAR_VOLUME)
                    && (injection.containers().contains(each.name()) || each.isInjected())) {
                found.add(each);
            }
        }
        for (PodContainer each : template.containers(CONTAINERS)) {
            if (injection.containers().isEmpty() || injection.containers().contains(each.name()) || each.isInjected()) {
                found.add(each);
            }
        }
        return found;
    }

    /** Whether a template has all of this, and nothing else of this command. */
    boolean isComplete(PodTemplate template, List<PodContainer> targets) throws KubeException {
        boolean isComplete = isSame(template.named(VOLUMES, Injection.JAR_VOLUME), injection.jarVolume())
                && isSame(template.named(VOLUMES, Injection.DRIVER_VOLUME), injection.nodeDirectory())
                && isSame(template.named(INIT_CONTAINERS, Injection.JAR_VOLUME), injection.initContainer());
        for (PodContainer each : targets) {
            isComplete = isComplete && isComplete(each);
        }
        return isComplete;
    }

    private boolean isComplete(PodContainer container) throws KubeException {
        JvmFlags flags = container.flags();
        if (flags == null || !Objects.equals(flags.driver(), injection.driver())) {
            return false;
        }
        List<Map<String, Object>> wanted = mounts();
        int own = 0;
        for (Mapping each : container.mounts()) {
            if (PodContainer.isOwn(each, flags)) {
                own++;
                if (wanted.stream().noneMatch(one -> Injection.isEqual(each, one))) {
                    return false;
                }
            }
        }
        return own == wanted.size();
    }

    private static boolean isSame(Mapping node, Map<String, Object> wanted) {
        return node == null ? wanted == null : wanted != null && Injection.isEqual(node, wanted);
    }

    private List<Map<String, Object>> mounts() {
        return injection.driver() == null
                ? List.of(injection.jarMount())
                : List.of(injection.jarMount(), injection.driverMount());
    }

    /** Adds everything to a template that has nothing of it. */
    void add(PodTemplate template, List<PodContainer> targets, YamlEditor editor) throws KubeException {
        checkNames(template);
        for (PodContainer each : targets) {
            check(each);
            addTo(each, editor);
        }
        Map<String, List<Object>> items = new LinkedHashMap<>();
        if (injection.initContainer() != null) {
            items.put(INIT_CONTAINERS, List.of(injection.initContainer()));
        }
        items.put(
                VOLUMES,
                injection.nodeDirectory() == null
                        ? List.of(injection.jarVolume())
                        : List.of(injection.jarVolume(), injection.nodeDirectory()));
        // Other init containers may run the JVM, too.
        editor.addItems(template.spec(), items, Set.of(INIT_CONTAINERS));
    }

    private void checkNames(PodTemplate template) throws KubeException {
        for (String each : List.of(Injection.JAR_VOLUME, Injection.DRIVER_VOLUME)) {
            Mapping taken = template.named(VOLUMES, each);
            if (taken != null) {
                throw template.object().refused(taken, "has a volume " + each + " of its own; rename it");
            }
        }
        for (String key : List.of(CONTAINERS, INIT_CONTAINERS)) {
            Mapping taken = template.named(key, Injection.JAR_VOLUME);
            if (taken != null) {
                throw template.object()
                        .refused(taken, "has a container " + Injection.JAR_VOLUME + " of its own; rename it");
            }
        }
        if (injection.driverVolume() != null && template.named(VOLUMES, injection.driverVolume()) == null) {
            throw template.object()
                    .refused(
                            template.spec(),
                            "has no volume " + injection.driverVolume() + ", which --driver-volume names");
        }
    }

    private void check(PodContainer container) throws KubeException {
        for (Mapping each : container.mounts()) {
            String path = each.text("mountPath");
            if (injection.mount().equals(path)) {
                throw container.refused(
                        each, "something is mounted at " + path + "; choose another directory with --mount");
            }
            if (path != null && path.equals(injection.driver())) {
                throw container.refused(each, "something is mounted at " + path + ", which --driver names");
            }
        }
        container.checkVariable();
        String options = container.options();
        if (options.length() > MOST_OPTIONS) {
            throw container.refused(
                    container.mapping(), PodContainer.VARIABLE + " is longer than " + MOST_OPTIONS + " characters");
        }
        if (JvmFlags.loadsAgent(options)) {
            throw container.refused(
                    container.variable(),
                    PodContainer.VARIABLE + " loads PipeDevice's jar already, not by this command; remove that, or"
                            + " leave this container out with --container");
        }
        if (injection.driver() != null && JvmFlags.namesDriver(options)) {
            throw container.refused(
                    container.variable(),
                    PodContainer.VARIABLE + " names a driver already; remove that, or leave --driver out");
        }
    }

    private void addTo(PodContainer container, YamlEditor editor) throws KubeException {
        String flags = JvmFlags.of(injection.mount(), injection.driver());
        Map<String, List<Object>> items = new LinkedHashMap<>();
        Mapping variable = container.variable();
        if (variable == null) {
            Map<String, Object> added = new LinkedHashMap<>();
            added.put("name", PodContainer.VARIABLE);
            added.put("value", flags);
            items.put(PodContainer.ENV, List.of(added));
        } else {
            Scalar value = container.object().scalar(variable, "value");
            String text = JvmFlags.append(container.options(), flags);
            if (value == null) {
                editor.addEntry(variable, "value", text);
            } else {
                editor.replace(value, text);
            }
        }
        items.put(PodContainer.MOUNTS, new ArrayList<>(mounts()));
        editor.addItems(container.mapping(), items, Set.of());
    }
}
