// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlGroupTest {
    /** In the table, ID stands for this, and POD and P_D for the two forms of the UID of a pod. */
    private static final String ID = "4f1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e";

    private static final String POD = "2f0b1c6e-7a54-4d7b-9f3e-0a1b2c3d4e5f";

    /** Lines as runtimes make them; {@code |} stands for the end of a line. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', nullValues = "-", textBlock = """
            # Docker: systemd, cgroupfs; a group below the container's
            0::/system.slice/docker-ID.scope                                            ; -   ; ID
            0::/docker/ID                                                               ; -   ; ID
            0::/system.slice/docker-ID.scope/init                                       ; -   ; ID
            0::/tenants.slice/tenants-a.slice/docker-ID.scope                           ; -   ; ID
            # Podman of root: systemd, cgroupfs, in a pod
            0::/machine.slice/libpod-ID.scope/container                                 ; -   ; ID
            0::/libpod_parent/libpod-ID                                                 ; -   ; ID
            9:name=systemd:/libpod_parent/6fa76dbfbad58a07c5ec646aa145e603a1d565a510c668d6f5567301d4ed4c50/libpod-ID|0::/ ; - ; ID
            0::/machine.slice/machine-libpod_pod_0123.slice/libpod-ID.scope             ; -   ; ID
            # Kubernetes with containerd, CRI-O and Docker; systemd, cgroupfs, both; kind; a static pod
            0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podP_D.slice/cri-containerd-ID.scope ; POD ; ID
            0::/kubepods.slice/kubepods-podP_D.slice/crio-ID.scope                      ; POD ; ID
            0::/kubepods.slice/kubepods-podP_D.slice/docker-ID.scope                    ; POD ; ID
            0::/kubepods/besteffort/podPOD/ID                                           ; POD ; ID
            0::/kubepods/podPOD/crio-ID                                                 ; POD ; ID
            0::/system.slice/containerd.service/kubepods-burstable-podP_D.slice:cri-containerd:ID ; POD ; ID
            0::/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-podP_D.slice/cri-containerd-ID.scope ; POD ; ID
            0::/kubepods/burstable/pod0123456789abcdef0123456789abcdef/ID ; 0123456789abcdef0123456789abcdef ; ID
            # nerdctl, containerd with cgroupfs, Amazon ECS
            0::/system.slice/nerdctl-ID.scope                                           ; -   ; ID
            0::/default/ID                                                              ; -   ; ID
            0::/ecs/0123456789abcdef/ID                                                 ; -   ; ID
            # seen from a cgroup namespace beside it
            0::/../docker-ID.scope                                                      ; -   ; ID
            0::/../../kubepods-besteffort-podP_D.slice/cri-containerd-ID.scope          ; POD ; ID
            0::/../..                                                                   ; -   ; -
            # version 1, and hybrid, where version 2 knows only the runtime or nothing
            11:memory:/docker/ID|1:name=systemd:/docker/ID|0::/system.slice/containerd.service ; - ; ID
            3:cpu,cpuacct:/kubepods/podPOD/ID|1:name=systemd:/kubepods/podPOD/ID|0::/   ; POD ; ID
            5:memory:/a|1:name=systemd:/system.slice/docker-ID.scope                    ; -   ; ID
            # names that a user or a service chooses
            0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-ID.scope/container ; - ; -
            0::/user.slice/user-1000.slice/user@1000.service/kubepods-podP_D.slice      ; -   ; -
            0::/user.slice/user-1000.slice/session-3.scope/docker-ID.scope              ; -   ; -
            0::/system.slice/shop.service/libpod-payload-ID                             ; -   ; -
            # no container
            0::/                                                                        ; -   ; -
            0::/init.scope                                                              ; -   ; -
            0::/system.slice/shop.service                                               ; -   ; -
            0::/docker/4f1c2d3e                                                         ; -   ; -
            nonsense                                                                    ; -   ; -
            """)
    void thePathNamesPodAndContainer(String lines, String pod, String container) {
        ControlGroup group = ControlGroup.parse(List.of(filled(lines).split("\\|")));
        assertEquals(pod == null ? null : pod.equals("POD") ? POD : pod, group.podUid());
        assertEquals(container == null ? null : ID, group.containerId());
    }

    private static String filled(String text) {
        return text.replace("ID", ID).replace("POD", POD).replace("P_D", POD.replace('-', '_'));
    }

    /** A container with a cgroup file system that it may write cannot take another one's name. */
    @Test
    void theOutermostNameCounts() {
        String other = ID.replace('4', 'a');
        ControlGroup group = ControlGroup.parse(
                List.of(filled("0::/kubepods/podPOD/ID/kubepods/pod" + POD.replace('2', '3') + "/" + other)));
        assertEquals(ID, group.containerId());
        assertEquals(POD, group.podUid());
    }

    @Test
    void theUnitIsWhatTheAdministratorAndTheRuntimeHaveNamed() {
        assertUnit("/", "/");
        assertUnit("/a/b", "/a/b");
        assertUnit("/system.slice/shop.service", "/system.slice/shop.service/own/group");
        assertUnit("/user.slice/user-1.slice/user@1.service", "/user.slice/user-1.slice/user@1.service/app.slice/x");
        assertUnit("/docker/" + ID, "/docker/" + ID + "/own");
    }

    private static void assertUnit(String unit, String path) {
        ControlGroup group = ControlGroup.parse(List.of("0::" + path));
        assertEquals(unit, group.unit());
        assertEquals(path, group.path());
    }

    @Test
    void thePathIsThatOfTheDriversSideWithoutTheWayUp() {
        assertEquals("/b/c", ControlGroup.parse(List.of("0::/../../b/c")).path());
        assertEquals("/", ControlGroup.parse(List.of("0::/../..")).path());
        assertEquals("/..b", ControlGroup.parse(List.of("0::/..b")).path());
        assertEquals(
                "/a", ControlGroup.parse(List.of("1:name=systemd:/a", "0::/")).path());
    }

    @Test
    void thisProcessHasOne() throws IOException {
        ControlGroup own = ControlGroup.of(ProcessFacts.self());
        assertEquals('/', own.path().charAt(0));
    }
}
