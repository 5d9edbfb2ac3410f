// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused, with the file, the line, the object and the container; and what must not cost much. */
@Timeout(60)
class RefusedManifestsTest {
    private static final String HEAD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n";

    private static String refusal(String text, Injection injection) {
        return assertThrows(KubeException.class, () -> Injections.inject(text, injection))
                .getMessage();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{name: a, env: [{name: JAVA_TOOL_OPTIONS, valueFrom: {secretKeyRef: {name: s, key: k}}}]}"
                        + " | JAVA_TOOL_OPTIONS has valueFrom",
                "{name: a, env: [{name: JAVA_TOOL_OPTIONS, value: yes}]} | JAVA_TOOL_OPTIONS is not a text: yes",
                "{name: a, env: [{name: JAVA_TOOL_OPTIONS, value: 0777}]} | is not a text: 0777; write it in quotes",
                "{name: a, env: [{name: JAVA_TOOL_OPTIONS}, {name: JAVA_TOOL_OPTIONS}]} | stands twice",
                "{name: a, env: [{name: JAVA_TOOL_OPTIONS, value: '-javaagent:/x/pipedevice-agent.jar'}]}"
                        + " | loads PipeDevice's jar already",
                "{name: a, env: [{name: JAVA_TOOL_OPTIONS, value: '-Dpipedevice.driver=/x'}]} | names a driver already",
                "{name: a, volumeMounts: [{name: x, mountPath: /opt/pipedevice}]} | choose another directory with --mount",
                "{name: a, volumeMounts: [{name: x, mountPath: /run/pipedevice}]} | which --driver names",
                "{name: a, env: {JAVA_TOOL_OPTIONS: x}} | env is not a list",
                "{name: a, env: [x]} | env is not a list of mappings",
                "{name: a, env: [], env: []} | env stands twice",
                "{name: a, <<: {env: []}} | the merge key << may have"
            })
    void aContainerThatCannotBeChangedIsNamed(String container, String message) {
        String refusal = refusal(HEAD + "spec:\n  containers:\n  - " + container + "\n", Injections.withDriver());
        assertTrue(refusal.startsWith("pods.yaml:6: Pod/p: "), refusal);
        assertTrue(refusal.contains(message), refusal);
        assertTrue(
                message.contains("a list")
                        || message.contains("env ")
                        || refusal.contains("container a")
                        || message.contains("<<"),
                refusal);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spec: {containers: [{name: a, env: &e []}, {name: b, env: *e}]} | env has an anchor",
                "x: &e []\\nspec: {containers: [{name: b, env: *e}]} | env is an alias of what line 4 has",
                "spec: {containers: [{name: pipedevice-agent}]} | has a container pipedevice-agent of its own",
                "spec: {containers: [{name: a}], volumes: [{name: pipedevice-agent, configMap: {name: x}}]}"
                        + " | has a volume pipedevice-agent of its own",
                "spec: | has no spec",
                "spec: text | spec is not a mapping",
                "spec:\\n  ? containers\\n  : - name: a | a key that begins with ? cannot be changed",
                "spec: [ | no YAML: ",
                "spec: *x | *x stands for nothing",
                "spec: {containers: [{name: a}]}\\r# | ends with a carriage return alone"
            })
    void anObjectThatCannotBeChangedIsNamed(String rest, String message) {
        String text = HEAD + rest.replace("\\n", "\n").replace("\\r", "\r") + "\n";
        String refusal = refusal(text, Injections.withDriver());
        assertTrue(refusal.contains(message), refusal);
    }

    @Test
    void aContainerThatIsNowhereIsRefusedWithThoseThatAreThere() {
        String refusal = refusal(HEAD + "spec: {containers: [{name: a}, {name: b}]}\n", Injections.plain("a", "c"));
        assertTrue(refusal.contains("has a container c, which --container names; there are a, b"), refusal);
    }

    @Test
    void aMissingVolumeOfTheDriverIsRefused() {
        String refusal = refusal(HEAD + "spec: {containers: [{name: a}]}\n", Injections.withDriverIn("run"));
        assertTrue(refusal.contains("Pod/p: has no volume run, which --driver-volume names"), refusal);
    }

    @Test
    void aBlockTextWithoutEndOfLineIsRefused() {
        String text = HEAD + "spec:\n  containers:\n  - name: a\n    workingDir: |\n      /x";
        assertTrue(refusal(text, Injections.plain()).contains("pods.yaml:7: the text that begins here has no end"));
    }

    @Test
    void optionsThatNoProgramCanGetAreRefused() {
        String text = HEAD + "spec: {containers: [{name: a, env: [{name: JAVA_TOOL_OPTIONS, value: '"
                + "x".repeat(200_000) + "'}]}]}\n";
        assertTrue(refusal(text, Injections.plain()).contains("is longer than 131072 characters"));
    }

    @Test
    void aliasesThatWouldExpandToMuchCostNothingAndStay() throws Exception {
        StringBuilder text = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i < 100; i++) {
            text.append("a" + i + ": &a" + i + " [*a" + (i - 1) + ", *a" + (i - 1) + "]\n");
        }
        String all = text + "self: &self [*self]\n---\n" + HEAD + "spec: {containers: [{name: a}]}\n";
        String injected = Injections.inject(all, Injections.plain());
        assertTrue(injected.startsWith(text.toString()));
        assertEquals(all, Injections.remove(injected));
    }

    @Test
    void deepAndLongDocumentsEndAtABound() {
        String deep = refusal("a: " + "[".repeat(100_000), Injections.plain());
        assertEquals("pods.yaml:1: more than 500 levels", deep);
        String nested = "- ".repeat(100_000) + "x\n";
        assertTrue(refusal(nested, Injections.plain()).endsWith("more than 500 levels"));
        String many = refusal("[" + "1,".repeat(2_000_001) + "]", Injections.plain());
        assertTrue(many.endsWith("more than 2000000 values"), many);
    }
}
