// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.pci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PciHostTest {
    private static final String EDU = "0000:01:00.0";
    private static final String DISK = "0000:01:00.1";
    private static final String BRIDGE = "0000:00:01.0";

    @TempDir
    private Path root;

    private Path functions;
    private PciHost host;

    @BeforeEach
    void describe() throws IOException {
        functions = Files.createDirectories(root.resolve("sys/bus/pci/devices"));
        Files.createDirectories(root.resolve("dev/vfio"));
        host = new PciHost(root.resolve("sys"), root.resolve("dev"));
        function(EDU, "0x00ff00", "vfio-pci", "7");
        function(BRIDGE, "0x060400", "pcieport", "7");
        Files.createFile(root.resolve("dev/vfio/7"));
    }

    private void function(String address, String code, String driver, String group) throws IOException {
        Path function = Files.createDirectories(functions.resolve(address));
        Files.writeString(function.resolve("vendor"), "0x1234\n");
        Files.writeString(function.resolve("device"), "0x11e8\n");
        Files.writeString(function.resolve("class"), code + "\n");
        if (!driver.isEmpty()) {
            link(function.resolve("driver"), root.resolve("sys/bus/pci/drivers").resolve(driver));
        }
        if (!group.isEmpty()) {
            Path members = root.resolve("sys/kernel/iommu_groups").resolve(group);
            link(function.resolve("iommu_group"), members);
            Files.createDirectories(members.resolve("devices").resolve(address));
        }
    }

    private static void link(Path link, Path target) throws IOException {
        Files.createDirectories(target);
        Files.createSymbolicLink(link, target);
    }

    private String obstacle(String address) throws IOException {
        List<String> obstacles = host.obstacles(host.slot(address));
        assertEquals(1, obstacles.size(), obstacles::toString);
        return obstacles.getFirst();
    }

    @Test
    void aFunctionIsWhatTheKernelSays() throws IOException {
        PciSlot expected = new PciSlot(EDU, 0x1234, 0x11E8, 0xFF00, "vfio-pci", "7", List.of(BRIDGE));
        assertEquals(expected, host.slot(EDU));
        assertEquals(List.of(host.slot(BRIDGE), expected), host.slots());
        assertEquals(root.resolve("dev/vfio/7"), host.groupFile(expected));
        assertNull(host.deviceFile(expected));
    }

    @Test
    void theLimitOfMappingsIsTheModules() throws IOException {
        assertEquals(-1, host.mappingLimit());
        Path parameters = root.resolve("sys/module/vfio_iommu_type1/parameters");
        Files.writeString(Files.createDirectories(parameters).resolve("dma_entry_limit"), "65535\n");
        assertEquals(65535, host.mappingLimit());
    }

    @Test
    void aFunctionThatIsBoundAndPermittedCanBeUsed() throws IOException {
        assertEquals(List.of(), host.obstacles(host.slot(EDU)), "the bridge in its group does not matter");
    }

    @Test
    void obstaclesAreReportedWithTheirRemedies() throws IOException {
        function("0000:02:00.0", "0x020000", "e1000e", "8");
        assertTrue(obstacle("0000:02:00.0").contains("e1000e has it: as root, modprobe vfio-pci; echo vfio-pci > "));
        assertTrue(obstacle("0000:02:00.0")
                .contains("echo 0000:02:00.0 > /sys/bus/pci/devices/0000:02:00.0/driver/unbind"));
        function("0000:03:00.0", "0x120000", "vfio-pci", "");
        assertTrue(obstacle("0000:03:00.0").contains("intel_iommu=on"));
        function("0000:04:00.0", "0x120000", "vfio-pci", "9");
        assertTrue(obstacle("0000:04:00.0").contains("dev/vfio/9 is missing"));
        assertTrue(obstacle(BRIDGE).contains("bridge"));
    }

    @Test
    void aFunctionWithoutAGroupsFileNeedsIommufd() throws IOException {
        Files.delete(root.resolve("dev/vfio/7"));
        Files.createDirectories(functions.resolve(EDU).resolve("vfio-dev/vfio0"));
        Path own = Files.createDirectories(root.resolve("dev/vfio/devices")).resolve("vfio0");
        Files.createFile(own);
        assertTrue(obstacle(EDU).contains("dev/iommu is missing: as root, modprobe iommufd"));
        Files.createFile(root.resolve("dev/iommu"));
        assertEquals(List.of(), host.obstacles(host.slot(EDU)));
        assertEquals(own, host.deviceFile(host.slot(EDU)));
    }

    @Test
    void neighboursWithADriverOfTheKernelAreInTheWay() throws IOException {
        function(DISK, "0x010802", "nvme", "7");
        assertTrue(obstacle(EDU).contains("also contains " + DISK + ", which the kernel's driver nvme has"));
    }

    @Test
    void functionsThatAreNotThereAreRefused() {
        for (String address : List.of("0000:09:00.0", "01:00.0", "..", "", "0000:01:00.0/x")) {
            IOException refused = assertThrows(IOException.class, () -> host.slot(address));
            assertTrue(refused.getMessage().contains("there is no PCI function"), refused::getMessage);
        }
    }
}
