// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import io.pipedevice.tool.kube.YamlNode.Alias;
import io.pipedevice.tool.kube.YamlNode.Mapping;
import io.pipedevice.tool.kube.YamlNode.Scalar;
import io.pipedevice.tool.kube.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.List;

/**
 * An object of a manifest, and access to the parts of its pod template. What may be changed must stand in the text once:
 * an alias, a merge key or a key that stands twice on the way there is refused.
 */
final class ManifestObject {
    private final String file;
    private final String name;

    /**
     * Names an object.
     *
     * @param file for messages
     * @param name of the object, for messages, such as Deployment/shop
     */
    ManifestObject(String file, String name) {
        this.file = file;
        this.name = name;
    }

    String name() {
        return name;
    }

    /** The mapping at a path of keys; null if a key is missing. */
    Mapping mapping(Mapping from, String... path) throws KubeException {
        Mapping at = from;
        for (String key : path) {
            at = at == null ? null : (Mapping) checked(at, key, Mapping.class, "a mapping");
        }
        return at;
    }

    /** The items of a list; none if it is missing or null. */
    List<YamlNode> items(Mapping mapping, String key) throws KubeException {
        Sequence list = list(mapping, key);
        return list == null ? List.of() : list.items;
    }

    /** A list; null if it is missing or null. */
    Sequence list(Mapping mapping, String key) throws KubeException {
        return (Sequence) checked(mapping, key, Sequence.class, "a list");
    }

    /** The items of a list, which have to be mappings. */
    List<Mapping> mappings(Mapping mapping, String key) throws KubeException {
        List<Mapping> found = new ArrayList<>();
        for (YamlNode each : items(mapping, key)) {
            found.add((Mapping) checked(each, key, Mapping.class, "a list of mappings"));
        }
        return found;
    }

    /** A text that may be changed; null if it is missing. */
    Scalar scalar(Mapping mapping, String key) throws KubeException {
        YamlNode node = value(mapping, key);
        return node == null ? null : (Scalar) checked(node, key, Scalar.class, "a text");
    }

    private YamlNode checked(Mapping mapping, String key, Class<? extends YamlNode> type, String what)
            throws KubeException {
        YamlNode node = value(mapping, key);
        boolean isMissing = node == null || (node instanceof Scalar scalar && scalar.isNull() && !node.isShared());
        return isMissing ? null : checked(node, key, type, what);
    }

    private YamlNode checked(YamlNode node, String key, Class<? extends YamlNode> type, String what)
            throws KubeException {
        if (node instanceof Alias alias) {
            throw refused(
                    node,
                    key + " is an alias of what line " + alias.target.line + " has; write it out, to change it here");
        }
        if (node.isShared()) {
            throw refused(node, key + " has an anchor to which aliases refer; write them out, to change it here");
        }
        if (!type.isInstance(node)) {
            throw refused(node, key + " is not " + what);
        }
        return node;
    }

    private YamlNode value(Mapping mapping, String key) throws KubeException {
        YamlNode found = null;
        for (Mapping.Entry each : mapping.entries) {
            String word = each.key() instanceof Scalar scalar ? scalar.value : "";
            if (word.equals("<<")) {
                throw refused(each.key(), "the merge key << may have " + key + "; write it out, to change it here");
            }
            if (word.equals(key)) {
                if (found != null) {
                    throw refused(each.key(), key + " stands twice");
                }
                found = each.value();
            }
        }
        return found;
    }

    /** A problem with a part of the object. */
    KubeException refused(YamlNode node, String problem) {
        return new KubeException(file, node.line, name + ": " + problem);
    }
}
