// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import io.pipedevice.tool.kube.YamlNode.Mapping;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Removes from pod templates what this command has added, which it knows by its names. */
final class PodRemover {
    private final YamlEditor editor;

    PodRemover(YamlEditor editor) {
        this.editor = editor;
    }

    /** Removes everything from a template. A list that becomes empty is removed, too. */
    void remove(PodTemplate template) throws KubeException {
        SortedSet<Integer> emptied = new TreeSet<>();
        ManifestObject object = template.object();
        for (String key : List.of(PodInjector.INIT_CONTAINERS, PodInjector.CONTAINERS)) {
            for (PodContainer each : template.containers(key)) {
                if (!isInitContainer(each.mapping())) {
                    remove(each);
                }
            }
        }
        removeItems(object, template.spec(), PodInjector.INIT_CONTAINERS, PodRemover::isInitContainer, emptied);
        removeItems(object, template.spec(), PodInjector.VOLUMES, PodRemover::isVolume, emptied);
        removeEntries(template.spec(), emptied);
    }

    private static boolean isInitContainer(Mapping container) {
        return Injection.JAR_VOLUME.equals(container.text("name"))
                && container.get(PodContainer.MOUNTS) instanceof YamlNode.Sequence mounts
                && mounts.items.stream()
                        .anyMatch(each ->
                                each instanceof Mapping mount && Injection.JAR_VOLUME.equals(mount.text("name")));
    }

    private static boolean isVolume(Mapping volume) {
        String name = volume.text("name");
        Set<String> kinds = Injection.JAR_VOLUME.equals(name)
                ? Set.of("image", "emptyDir")
                : Injection.DRIVER_VOLUME.equals(name) ? Set.of("hostPath") : Set.of();
        return kinds.stream().anyMatch(each -> volume.get(each) != null);
    }

    private void remove(PodContainer container) throws KubeException {
        SortedSet<Integer> emptied = new TreeSet<>();
        ManifestObject object = container.object();
        JvmFlags flags = container.flags();
        if (flags != null) {
            Mapping variable = container.variable();
            String options = flags.removedFrom(container.options());
            if (options == null) {
                removeItems(object, container.mapping(), PodContainer.ENV, each -> each == variable, emptied);
            } else {
                editor.replace(object.scalar(variable, "value"), options);
            }
        }
        removeItems(object, container.mapping(), PodContainer.MOUNTS, each -> PodContainer.isOwn(each, flags), emptied);
        removeEntries(container.mapping(), emptied);
    }

    /** Removes items, or adds the number of the list's entry to those that are emptied. */
    private void removeItems(
            ManifestObject object,
            Mapping mapping,
            String key,
            Predicate<Mapping> isRemoved,
            SortedSet<Integer> emptied)
            throws KubeException {
        List<Mapping> items = object.mappings(mapping, key);
        SortedSet<Integer> indexes = new TreeSet<>();
        for (int i = 0; i < items.size(); i++) {
            if (isRemoved.test(items.get(i))) {
                indexes.add(i);
            }
        }
        if (indexes.isEmpty()) {
            return;
        }
        if (indexes.size() == items.size()) {
            emptied.add(mapping.indexOf(key));
        } else {
            editor.removeItems(object.list(mapping, key), indexes);
        }
    }

    private void removeEntries(Mapping mapping, SortedSet<Integer> indexes) throws KubeException {
        if (!indexes.isEmpty()) {
            editor.removeEntries(mapping, indexes);
        }
    }
}
