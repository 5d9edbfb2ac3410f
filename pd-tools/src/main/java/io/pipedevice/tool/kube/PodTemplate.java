// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import io.pipedevice.tool.kube.YamlNode.Mapping;
import io.pipedevice.tool.kube.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The pod template of an object.
 *
 * @param object that has it
 * @param spec of the pod
 */
record PodTemplate(ManifestObject object, Mapping spec) {
    private static final String LIST = "List";
    private static final String CORE = "v1";
    private static final String[] POD = {"spec"};
    private static final String[] WORKLOAD = {"spec", "template", "spec"};
    private static final String[] CRON_JOB = {"spec", "jobTemplate", "spec", "template", "spec"};

    /** By the group of the API and the kind: another group may have a Job of its own. */
    private static final Map<String, String[]> PATHS = Map.of(
            "Pod", POD,
            "PodTemplate", new String[] {"template", "spec"},
            "ReplicationController", WORKLOAD,
            "apps/Deployment", WORKLOAD,
            "apps/StatefulSet", WORKLOAD,
            "apps/DaemonSet", WORKLOAD,
            "apps/ReplicaSet", WORKLOAD,
            "batch/Job", WORKLOAD,
            "batch/CronJob", CRON_JOB);

    /**
     * Finds the pod templates of documents, also in lists of objects.
     *
     * @param file for messages
     * @param documents of the file
     * @return the templates, in the order of the text
     */
    static List<PodTemplate> find(String file, List<YamlNode> documents) throws KubeException {
        List<PodTemplate> found = new ArrayList<>();
        for (YamlNode each : documents) {
            collect(file, each, "", "", found);
        }
        return found;
    }

    /** Lists lie in each other as deep as the reader permits. */
    private static void collect(
            String file, YamlNode node, String listVersion, String listKind, List<PodTemplate> found)
            throws KubeException {
        if (!(node instanceof Mapping mapping)) {
            return;
        }
        String kind = mapping.text("kind") == null ? listKind : mapping.text("kind");
        String version = mapping.text("apiVersion") == null ? listVersion : mapping.text("apiVersion");
        if (kind.endsWith(LIST) && mapping.get("items") instanceof Sequence items) {
            String inner = kind.substring(0, kind.length() - LIST.length());
            for (YamlNode each : items.items) {
                collect(file, each, inner.isEmpty() ? "" : version, inner, found);
            }
            return;
        }
        int slash = version.indexOf('/');
        String group = slash < 0 ? "" : version.substring(0, slash + 1);
        String[] path = slash < 0 && !version.equals(CORE) ? null : PATHS.get(group + kind);
        if (path != null) {
            ManifestObject object = new ManifestObject(file, kind + "/" + name(mapping));
            Mapping spec = object.mapping(mapping, path);
            if (spec == null) {
                throw object.refused(mapping, "has no " + String.join(".", path));
            }
            found.add(new PodTemplate(object, spec));
        }
    }

    private static String name(Mapping object) {
        if (object.get("metadata") instanceof Mapping metadata) {
            String name = metadata.text("name");
            if (name != null || metadata.text("generateName") != null) {
                return name != null ? name : metadata.text("generateName");
            }
        }
        return "(without a name)";
    }

    /** The containers of a list, {@code containers} or {@code initContainers}. */
    List<PodContainer> containers(String key) throws KubeException {
        List<PodContainer> found = new ArrayList<>();
        for (Mapping each : object.mappings(spec, key)) {
            found.add(new PodContainer(object, each));
        }
        return found;
    }

    /** The item of a list with a name; null if there is none. */
    Mapping named(String key, String name) throws KubeException {
        for (Mapping each : object.mappings(spec, key)) {
            if (name.equals(each.text("name"))) {
                return each;
            }
        }
        return null;
    }
}
