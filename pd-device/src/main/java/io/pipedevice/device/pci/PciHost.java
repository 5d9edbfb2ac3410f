// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.pci;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The PCI functions of this machine, from /sys, and the obstacles that keep a process from driving one through VFIO.
 */
public final class PciHost {
    private static final String VFIO_DRIVER = "vfio-pci";

    private final Path sys;
    private final Path dev;

    /** This machine. */
    public PciHost() {
        this(Path.of("/sys"), Path.of("/dev"));
    }

    /** A machine whose /sys and /dev are elsewhere, for tests. */
    PciHost(Path sys, Path dev) {
        this.sys = sys;
        this.dev = dev;
    }

    private Path functions() {
        return sys.resolve("bus/pci/devices");
    }

    /**
     * All functions.
     *
     * @return by address; none where there is no PCI
     * @throws IOException if /sys cannot be read
     */
    public List<PciSlot> slots() throws IOException {
        if (!Files.isDirectory(functions())) {
            return List.of();
        }
        List<PciSlot> slots = new ArrayList<>();
        for (String address : names(functions())) {
            slots.add(slot(address));
        }
        return slots;
    }

    /**
     * One function.
     *
     * @param address such as {@code 0000:00:03.0}
     * @return the kernel's description of it
     * @throws IOException if there is none at this address
     */
    public PciSlot slot(String address) throws IOException {
        Path function = functions().resolve(address);
        if (!address.matches("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]") || !Files.isDirectory(function)) {
            throw new IOException("there is no PCI function " + address
                    + "; './pipedevice devices' lists them, by addresses such as 0000:00:03.0");
        }
        String group = target(function.resolve("iommu_group"));
        List<String> neighbours = new ArrayList<>();
        if (!group.isEmpty()) {
            neighbours.addAll(names(function.resolve("iommu_group/devices")));
            neighbours.remove(address);
        }
        return new PciSlot(
                address,
                number(function.resolve("vendor")),
                number(function.resolve("device")),
                number(function.resolve("class")),
                target(function.resolve("driver")),
                group,
                neighbours);
    }

    /**
     * The group's file, through which its functions are opened.
     *
     * @param slot a function with a group
     * @return a path under /dev
     */
    public Path groupFile(PciSlot slot) {
        return dev.resolve("vfio").resolve(slot.group());
    }

    /**
     * The file of all VFIO containers.
     *
     * @return a path under /dev
     */
    public Path containerFile() {
        return dev.resolve("vfio/vfio");
    }

    /**
     * The file of iommufd.
     *
     * @return a path under /dev
     */
    public Path iommuFile() {
        return dev.resolve("iommu");
    }

    /**
     * The limit of mappings for the functions of one VFIO container.
     *
     * @return a number, or -1 if the kernel's module is not loaded or does not export the limit
     * @throws IOException if it cannot be read
     */
    public int mappingLimit() throws IOException {
        Path limit = sys.resolve("module/vfio_iommu_type1/parameters/dma_entry_limit");
        return Files.isReadable(limit) ? number(limit) : -1;
    }

    /**
     * The function's own file, which newer kernels have in addition to the group's file or instead of it. It needs
     * {@link #iommuFile}.
     *
     * @param slot a function
     * @return a path under /dev, or null if the kernel has none
     * @throws IOException if /sys cannot be read
     */
    public Path deviceFile(PciSlot slot) throws IOException {
        Path names = functions().resolve(slot.address()).resolve("vfio-dev");
        List<String> found = Files.isDirectory(names) ? names(names) : List.of();
        Path file = found.isEmpty() ? null : dev.resolve("vfio/devices").resolve(found.getFirst());
        return file == null || Files.notExists(file) ? null : file;
    }

    /**
     * The obstacles that keep this process from driving a function.
     *
     * @param slot the function
     * @return a sentence each, with the remedy; none if there is no obstacle
     * @throws IOException if /sys cannot be read
     */
    public List<String> obstacles(PciSlot slot) throws IOException {
        if (slot.isBridge()) {
            return List.of("it is a bridge, which a program cannot drive");
        }
        List<String> obstacles = new ArrayList<>();
        if (slot.group().isEmpty()) {
            obstacles.add("no IOMMU covers it: enable VT-d or AMD-Vi in the firmware, and boot the kernel with"
                    + " intel_iommu=on where it needs that (in a virtual machine: give it a virtual IOMMU)");
        }
        if (!slot.driver().equals(VFIO_DRIVER)) {
            obstacles.add(
                    (slot.driver().isEmpty() ? "no driver has it" : "the kernel's driver " + slot.driver() + " has it")
                            + ": as root, " + bind(slot));
        }
        for (String neighbour : slot.neighbours()) {
            PciSlot other = slot(neighbour);
            if (!other.isBridge()
                    && !other.driver().isEmpty()
                    && !other.driver().equals(VFIO_DRIVER)) {
                obstacles.add("its IOMMU group " + slot.group() + " also contains " + neighbour
                        + ", which the kernel's driver " + other.driver() + " has: as root, " + bind(other));
            }
        }
        if (obstacles.isEmpty()) {
            Path own = deviceFile(slot);
            if (Files.exists(groupFile(slot)) || own == null) {
                look(groupFile(slot), "in a container, pass it in together with /dev/vfio/vfio", obstacles);
            } else {
                look(own, "in a container, pass it in together with " + iommuFile(), obstacles);
                look(iommuFile(), "as root, modprobe iommufd; in a container, pass it in", obstacles);
            }
        }
        return obstacles;
    }

    private static void look(Path file, String ifMissing, List<String> obstacles) {
        if (Files.notExists(file)) {
            obstacles.add(file + " is missing: " + ifMissing);
        } else if (!Files.isReadable(file) || !Files.isWritable(file)) {
            obstacles.add(file + " may not be opened: as root, chown " + System.getProperty("user.name") + ' ' + file);
        }
    }

    private static String bind(PciSlot slot) {
        String function = "/sys/bus/pci/devices/" + slot.address();
        return "modprobe vfio-pci; echo " + VFIO_DRIVER + " > " + function + "/driver_override; "
                + (slot.driver().isEmpty() ? "" : "echo " + slot.address() + " > " + function + "/driver/unbind; ")
                + "echo " + slot.address() + " > /sys/bus/pci/drivers_probe";
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** The last name in a link's target; empty if there is no link. */
    private static String target(Path link) throws IOException {
        return Files.isSymbolicLink(link)
                ? Files.readSymbolicLink(link).getFileName().toString()
                : "";
    }

    private static int number(Path file) throws IOException {
        String text = Files.readString(file).strip();
        try {
            return Integer.decode(text);
        } catch (NumberFormatException e) {
            throw new IOException(file + " has an unknown form: " + text, e);
        }
    }
}
