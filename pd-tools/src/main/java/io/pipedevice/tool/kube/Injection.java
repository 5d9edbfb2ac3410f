// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is added to a pod template. The caller has checked the values. The parts are values for {@link YamlWriter}.
 *
 * @param delivery of the jar
 * @param image that has the jar
 * @param pullPolicy of the image
 * @param imageJar the path of the jar in the image
 * @param mount the directory of the jar in the containers
 * @param containers the names of the containers that get it; empty for all but init containers
 * @param driver the directory of the driver, on the node and in the containers; null for none
 * @param driverVolume the pod's volume that has the driver's directory; null for the directory of the node
 */
record Injection(
        JarDelivery delivery,
        String image,
        String pullPolicy,
        String imageJar,
        String mount,
        Set<String> containers,
        String driver,
        String driverVolume) {
    /** The name of the volume with the jar, and of the init container that copies it. */
    static final String JAR_VOLUME = "pipedevice-agent";

    /** The name of the volume with the driver's directory. */
    static final String DRIVER_VOLUME = "pipedevice-driver";

    private static final String COPY_TO = "/jar";

    /** No user of the node has this number. */
    private static final int COPYING_USER = 65_532;

    private static final String CPU = "100m";
    private static final String MEMORY = "64Mi";

    Map<String, Object> jarVolume() {
        return delivery == JarDelivery.IMAGE_VOLUME
                ? map("name", JAR_VOLUME, "image", map("reference", image, "pullPolicy", pullPolicy))
                : map("name", JAR_VOLUME, "emptyDir", map());
    }

    Map<String, Object> jarMount() {
        Map<String, Object> made = map("name", JAR_VOLUME, "mountPath", mount);
        int slash = imageJar.lastIndexOf('/');
        if (delivery == JarDelivery.IMAGE_VOLUME && slash > 0) {
            made.put("subPath", imageJar.substring(1, slash));
        }
        made.put("readOnly", true);
        return made;
    }

    /**
     * The container that copies the jar; null if none does. The pod security standard "restricted" admits it, whatever
     * the pod says. With its requests equal to its limits a pod of the class Guaranteed remains one.
     */
    Map<String, Object> initContainer() {
        if (delivery == JarDelivery.IMAGE_VOLUME) {
            return null;
        }
        Map<String, Object> security = map(
                "allowPrivilegeEscalation",
                false,
                "readOnlyRootFilesystem",
                true,
                "runAsNonRoot",
                true,
                "runAsUser",
                COPYING_USER,
                "capabilities",
                map("drop", List.of("ALL")),
                "seccompProfile",
                map("type", "RuntimeDefault"));
        Map<String, Object> made = map("name", JAR_VOLUME, "image", image, "imagePullPolicy", pullPolicy);
        // In place of a jar that is there, not into it: Podman gives one volume to all pods, and their JVMs have it
        // open.
        made.put("command", List.of("cp", "--remove-destination", imageJar, COPY_TO + "/" + JvmFlags.JAR));
        made.put(
                "resources",
                map("requests", map("cpu", CPU, "memory", MEMORY), "limits", map("cpu", CPU, "memory", MEMORY)));
        made.put("securityContext", security);
        made.put(PodContainer.MOUNTS, List.of(map("name", JAR_VOLUME, "mountPath", COPY_TO)));
        return made;
    }

    /** The volume with the driver's directory; null if the pod has it, or there is no driver. */
    Map<String, Object> nodeDirectory() {
        // A pod also starts on a node without a driver, and its connections stay on the kernel there.
        return driver == null || driverVolume != null
                ? null
                : map("name", DRIVER_VOLUME, "hostPath", map("path", driver, "type", "DirectoryOrCreate"));
    }

    /** The mount of the driver's directory; null if there is no driver. */
    Map<String, Object> driverMount() {
        // Read-only: a program cannot put another socket there for its neighbours.
        return driver == null
                ? null
                : map(
                        "name",
                        driverVolume == null ? DRIVER_VOLUME : driverVolume,
                        "mountPath",
                        driver,
                        "readOnly",
                        true);
    }

    private static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> made = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            made.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return made;
    }

    /** Whether a node has this value, with its keys in any order. */
    static boolean isEqual(YamlNode node, Object value) {
        if (node instanceof YamlNode.Scalar scalar) {
            return (value instanceof String || scalar.isPlain()) && scalar.value.equals(value.toString());
        }
        if (node instanceof YamlNode.Sequence list && value instanceof List<?> items) {
            boolean isSame = list.items.size() == items.size();
            for (int i = 0; isSame && i < items.size(); i++) {
                isSame = isEqual(list.items.get(i), items.get(i));
            }
            return isSame;
        }
        return node instanceof YamlNode.Mapping mapping
                && value instanceof Map<?, ?> map
                && mapping.entries.size() == map.size()
                && map.entrySet().stream()
                        .allMatch(each -> isEqual(mapping.get((String) each.getKey()), each.getValue()));
    }
}
