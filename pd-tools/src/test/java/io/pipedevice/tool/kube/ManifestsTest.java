// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ManifestsTest {
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: p}
            spec:
              containers:
                - name: a
                - name: b
              volumes:
                - name: shared
                  emptyDir: {}
            """;

    private static String file(String name) throws IOException {
        try (InputStream in = ManifestsTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pod.yaml",
                "deployment.yaml",
                "statefulset.yaml",
                "daemonset.yaml",
                "replicaset.yaml",
                "job.yaml",
                "cronjob.yaml",
                "list.yaml",
                "list.json"
            })
    void eachKindIsInjectedOnceAndAsItWasAfterRemoval(String name) throws Exception {
        String original = file(name);
        String injected = Injections.inject(original, Injections.withDriver());
        assertEquals(file(name.replace(".", ".injected.")), injected);
        assertEquals(injected, Injections.inject(injected, Injections.withDriver()));
        assertEquals(Injections.meaning(original), Injections.meaning(Injections.remove(injected)));
        assertEquals(original, Injections.remove(original));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"pod.yaml", "deployment.yaml", "statefulset.yaml", "cronjob.yaml", "list.yaml", "list.json"})
    void removalGivesBackTheSameBytesWhereNoListWasEmpty(String name) throws Exception {
        String original = file(name);
        assertEquals(original, Injections.remove(Injections.inject(original, Injections.withDriver())));
        assertEquals(original, Injections.remove(Injections.inject(original, Injections.byImageVolume())));
    }

    /** No line of it is written anew, so that no number, word or comment can become something else. */
    @Test
    void nothingThatIsNotInjectedChanges() throws Exception {
        String original = file("pod.yaml");
        List<String> left = new ArrayList<>(
                Injections.inject(original, Injections.withDriver()).lines().toList());
        for (String each : original.lines().toList()) {
            assertTrue(left.contains(each), each);
            left.subList(0, left.indexOf(each) + 1).clear();
        }
    }

    @Test
    void objectsWithoutPodTemplateStayAsTheyAreWithANote() throws Exception {
        List<String> notes = new ArrayList<>();
        String original = file("other.yaml");
        assertEquals(original, Injections.inject(original, Injections.withDriver(), notes));
        assertEquals(List.of("pods.yaml: no pod template is in it; nothing was changed"), notes);
    }

    @Test
    void theJarComesByAnImageVolumeIfThatIsAskedFor() throws Exception {
        assertEquals(file("pod.image.yaml"), Injections.inject(file("pod.yaml"), Injections.byImageVolume()));
    }

    @Test
    void otherOptionsReplaceWhatWasInjectedBefore() throws Exception {
        String first = Injections.inject(POD, Injections.withDriver());
        String second = Injections.inject(first, Injections.byImageVolume());
        assertEquals(Injections.inject(POD, Injections.byImageVolume()), second);
        assertEquals(first, Injections.inject(second, Injections.withDriver()));
        assertEquals(POD, Injections.remove(second));
    }

    @Test
    void onlyNamedContainersChangeAndEarlierOnesRemain() throws Exception {
        String first = Injections.inject(POD, Injections.plain("a"));
        assertEquals(1, count(first, Injections.AGENT), first);
        String both = Injections.inject(first, Injections.plain("b"));
        assertEquals(2, count(both, Injections.AGENT), both);
        assertEquals(Injections.inject(POD, Injections.plain()), both);
    }

    private static int count(String text, String part) {
        return text.split(java.util.regex.Pattern.quote(part), -1).length - 1;
    }

    @Test
    void aNamedInitContainerGetsTheJarThatTheFirstOneHasCopied() throws Exception {
        String text = POD + "  initContainers:\n    - name: first\n";
        assertEquals(2, count(Injections.inject(text, Injections.plain()), Injections.AGENT));
        String injected = Injections.inject(text, Injections.plain("first"));
        assertEquals(1, count(injected, Injections.AGENT), injected);
        assertTrue(injected.indexOf("- name: pipedevice-agent\n      image") < injected.indexOf("- name: first"));
        assertEquals(text, Injections.remove(injected));
    }

    @Test
    void theDriversDirectoryMayBeAVolumeOfThePod() throws Exception {
        String injected = Injections.inject(POD, Injections.withDriverIn("shared"));
        assertFalse(injected.contains("hostPath"), injected);
        assertEquals(2, count(injected, "- name: shared\n          mountPath: /run/pipedevice"), injected);
        assertEquals(injected, Injections.inject(injected, Injections.withDriverIn("shared")));
        assertEquals(POD, Injections.remove(injected));
    }

    @Test
    void flagsThatFollowTheInjectedOnesRemain() throws Exception {
        String injected = Injections.inject(POD, Injections.withDriver());
        String edited = injected.replaceFirst("(-Dpipedevice.driver=\\S+)", "$1 -Xmx1g");
        assertEquals(edited, Injections.inject(edited, Injections.withDriver()));
        String removed = Injections.remove(edited);
        assertTrue(removed.contains("value: \"-Xmx1g\"") || removed.contains("value: -Xmx1g"), removed);
        assertFalse(removed.contains("pipedevice"), removed);
    }

    @Test
    void endsOfLinesStayAsTheyAre() throws Exception {
        String windows = POD.replace("\n", "\r\n");
        String injected = Injections.inject(windows, Injections.withDriver());
        assertEquals(Injections.inject(POD, Injections.withDriver()).replace("\n", "\r\n"), injected);
        String unended = POD.stripTrailing();
        assertEquals(
                Injections.inject(POD, Injections.withDriver()).stripTrailing(),
                Injections.inject(unended, Injections.withDriver()));
        String marked = "\ufeff" + POD;
        assertEquals(
                "\ufeff" + Injections.inject(POD, Injections.withDriver()),
                Injections.inject(marked, Injections.withDriver()));
    }

    @Test
    void charactersBeyondTheBasicPlaneDoNotShiftWhatFollows() throws Exception {
        String text = "# " + "😀".repeat(300) + "\n" + POD;
        assertEquals(
                text.substring(0, text.indexOf("api")) + Injections.inject(POD, Injections.plain()),
                Injections.inject(text, Injections.plain()));
    }

    @Test
    void variablesFromOtherSourcesAreMentioned() throws Exception {
        List<String> notes = new ArrayList<>();
        String text = POD.replace("- name: b", "- name: b\n      envFrom: [{configMapRef: {name: options}}]");
        Injections.inject(text, Injections.plain(), notes);
        assertEquals(1, notes.size(), notes::toString);
        assertTrue(notes.get(0).startsWith("pods.yaml:7: Pod/p: container b: if its envFrom has JAVA_TOOL_OPTIONS"));
    }

    @Test
    void anotherAgentThatComesFirstIsMentioned() throws Exception {
        List<String> notes = new ArrayList<>();
        String text =
                POD.replace("- name: b", "- name: b\n      env: [{name: JAVA_TOOL_OPTIONS, value: -javaagent:/a.jar}]");
        String injected = Injections.inject(text, Injections.plain(), notes);
        assertTrue(injected.contains("value: -javaagent:/a.jar " + Injections.AGENT + "}"), injected);
        assertEquals(1, notes.size(), notes::toString);
        assertTrue(notes.get(0).startsWith("pods.yaml:8: Pod/p: container b: another agent comes before"));
    }
}
