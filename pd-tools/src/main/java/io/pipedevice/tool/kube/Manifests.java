// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Changes the text of manifests. What is no part of a pod template, or needs no change, stays as it is. */
final class Manifests {
    private final String file;
    private final Consumer<String> notes;

    /**
     * Makes changes of one text.
     *
     * @param file for messages
     * @param notes gets what the user should know of a text that is changed, a line at a time
     */
    Manifests(String file, Consumer<String> notes) {
        this.file = file;
        this.notes = notes;
    }

    private List<PodTemplate> templates(String text) throws KubeException {
        if (text.replace("\r\n", "\n").indexOf('\r') >= 0) {
            throw new KubeException(file, "a line ends with a carriage return alone; end it with a line feed");
        }
        List<PodTemplate> found = PodTemplate.find(file, YamlReader.read(file, text));
        if (found.isEmpty()) {
            notes.accept(file + ": no pod template is in it; nothing was changed");
        }
        return found;
    }

    /** Takes out of all pod templates what was added. */
    String remove(String text) throws KubeException {
        return remove(text, templates(text), null);
    }

    /** Adds an injection to all pod templates, in place of an earlier one. */
    String inject(String text, Injection injection) throws KubeException {
        List<PodTemplate> templates = templates(text);
        PodInjector injector = new PodInjector(injection);
        Map<Integer, Set<String>> pending = new LinkedHashMap<>();
        Set<String> found = new HashSet<>();
        for (int i = 0; i < templates.size(); i++) {
            List<PodContainer> targets = injector.targets(templates.get(i));
            Set<String> names = targets.stream().map(PodContainer::name).collect(Collectors.toSet());
            found.addAll(names);
            if (!names.isEmpty() && !injector.isComplete(templates.get(i), targets)) {
                pending.put(i, names);
            }
        }
        if (!templates.isEmpty() && !found.containsAll(injection.containers())) {
            Set<String> missing = new TreeSet<>(injection.containers());
            missing.removeAll(found);
            throw new KubeException(
                    file,
                    "no pod template has a container " + String.join(", ", missing)
                            + ", which --container names; there are " + String.join(", ", names(templates)));
        }
        return pending.isEmpty() ? text : add(remove(text, templates, pending.keySet()), injector, pending);
    }

    private static Set<String> names(List<PodTemplate> templates) throws KubeException {
        Set<String> names = new TreeSet<>();
        for (PodTemplate each : templates) {
            for (String key : List.of(PodInjector.CONTAINERS, PodInjector.INIT_CONTAINERS)) {
                each.containers(key).forEach(one -> names.add(one.name()));
            }
        }
        return names;
    }

    private String add(String text, PodInjector injector, Map<Integer, Set<String>> pending) throws KubeException {
        List<PodTemplate> templates = templates(text);
        YamlEditor editor = new YamlEditor(file, new YamlText(text));
        for (Map.Entry<Integer, Set<String>> each : pending.entrySet()) {
            PodTemplate template = templates.get(each.getKey());
            List<PodContainer> targets = named(template, each.getValue());
            for (PodContainer one : targets) {
                note(one);
            }
            injector.add(template, targets, editor);
        }
        String result = editor.result();
        if (!isComplete(result, templates.size(), injector, pending)) {
            PodTemplate first = templates.get(pending.keySet().iterator().next());
            throw first.object()
                    .refused(
                            first.spec(),
                            "this or a later pod template cannot be changed in the form that it has; write it in block"
                                    + " style");
        }
        return result;
    }

    /** Whether the text was changed as it was meant to be, in all forms that YAML permits. */
    private boolean isComplete(String result, int count, PodInjector injector, Map<Integer, Set<String>> pending) {
        try {
            List<PodTemplate> templates = templates(result);
            boolean isComplete = templates.size() == count;
            for (Map.Entry<Integer, Set<String>> each : pending.entrySet()) {
                isComplete = isComplete
                        && injector.isComplete(
                                templates.get(each.getKey()), named(templates.get(each.getKey()), each.getValue()));
            }
            return isComplete;
        } catch (KubeException e) {
            return false;
        }
    }

    private static List<PodContainer> named(PodTemplate template, Set<String> names) throws KubeException {
        List<PodContainer> found = new ArrayList<>(template.containers(PodInjector.INIT_CONTAINERS));
        found.addAll(template.containers(PodInjector.CONTAINERS));
        found.removeIf(each -> !names.contains(each.name()));
        return found;
    }

    private void note(PodContainer container) throws KubeException {
        if (container.mapping().get("envFrom") instanceof YamlNode.Sequence && container.variable() == null) {
            notes.accept(container
                    .refused(
                            container.mapping(),
                            "if its envFrom has " + PodContainer.VARIABLE + ", that is not in force any more; write it"
                                    + " under env before you inject")
                    .getMessage());
        }
        if (container.options().contains("-javaagent:")) {
            notes.accept(container
                    .refused(
                            container.variable(),
                            "another agent comes before PipeDevice's; if that opens a channel first, PipeDevice stays"
                                    + " off")
                    .getMessage());
        }
    }

    private String remove(String text, List<PodTemplate> templates, Set<Integer> only) throws KubeException {
        YamlEditor editor = new YamlEditor(file, new YamlText(text));
        PodRemover remover = new PodRemover(editor);
        for (int i = 0; i < templates.size(); i++) {
            if (only == null || only.contains(i)) {
                remover.remove(templates.get(i));
            }
        }
        return editor.hasChanges() ? editor.result() : text;
    }
}
