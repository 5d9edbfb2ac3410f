// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import io.pipedevice.tool.kube.YamlNode.Mapping;
import io.pipedevice.tool.kube.YamlNode.Scalar;
import java.util.List;

/**
 * A container of a pod template.
 *
 * @param object that has the template
 * @param mapping of the container
 */
record PodContainer(ManifestObject object, Mapping mapping) {
    static final String VARIABLE = "JAVA_TOOL_OPTIONS";
    static final String ENV = "env";
    static final String MOUNTS = "volumeMounts";

    String name() {
        String name = mapping.text("name");
        return name == null ? "(without a name)" : name;
    }

    /** The entry of the environment with the JVM's options; null if there is none. */
    Mapping variable() throws KubeException {
        Mapping found = null;
        for (Mapping each : object.mappings(mapping, ENV)) {
            if (VARIABLE.equals(each.text("name"))) {
                if (found != null) {
                    throw refused(each, VARIABLE + " stands twice");
                }
                found = each;
            }
        }
        return found;
    }

    /** The JVM's options; empty if there are none, or not as a text. */
    String options() throws KubeException {
        Mapping variable = variable();
        String text = variable == null ? null : variable.text("value");
        return text == null ? "" : text;
    }

    List<Mapping> mounts() throws KubeException {
        return object.mappings(mapping, MOUNTS);
    }

    /** Where the jar of this command is mounted; null if it is not. */
    String jarDirectory() throws KubeException {
        for (Mapping each : mounts()) {
            if (Injection.JAR_VOLUME.equals(each.text("name"))) {
                return each.text("mountPath");
            }
        }
        return null;
    }

    /** What this command has added to the JVM's options; null if nothing. */
    JvmFlags flags() throws KubeException {
        String directory = jarDirectory();
        return directory == null ? null : JvmFlags.find(options(), directory);
    }

    /** Whether this command has added something. */
    boolean isInjected() throws KubeException {
        for (Mapping each : mounts()) {
            if (isOwn(each, flags())) {
                return true;
            }
        }
        return false;
    }

    /** Whether a mount is one that this command has added. */
    static boolean isOwn(Mapping mount, JvmFlags flags) {
        String volume = mount.text("name");
        return Injection.JAR_VOLUME.equals(volume)
                || Injection.DRIVER_VOLUME.equals(volume)
                || (flags != null && flags.driver() != null && flags.driver().equals(mount.text("mountPath")));
    }

    /** Refuses options that this command cannot continue. */
    void checkVariable() throws KubeException {
        Mapping variable = variable();
        if (variable == null) {
            return;
        }
        if (variable.get("valueFrom") != null) {
            throw refused(
                    variable,
                    VARIABLE + " has valueFrom, whose value is not known here; add the flags where it comes from, or"
                            + " leave this container out with --container");
        }
        Scalar value = object.scalar(variable, "value");
        boolean isText = value == null
                || value.isNull()
                || (value.tag == null ? !value.isPlain() || isPlainText(value.value) : value.tag.matches(".*:str|!"));
        if (!isText) {
            throw refused(value, VARIABLE + " is not a text: " + value.value + "; write it in quotes");
        }
    }

    /** Whether YAML 1.1 and 1.2 take a plain scalar for a text. */
    private static boolean isPlainText(String value) {
        return !value.matches("(?i)y|n|yes|no|on|off|true|false|[-+]?\\.(?:inf|nan)|[-+]?[0-9.][-+0-9a-fx_.:]*");
    }

    /** A problem with a part of the container. */
    KubeException refused(YamlNode node, String problem) {
        return object.refused(node, "container " + name() + ": " + problem);
    }
}
