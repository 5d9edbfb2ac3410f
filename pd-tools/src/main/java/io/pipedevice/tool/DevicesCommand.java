// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import io.pipedevice.device.cuda.CudaGpu;
import io.pipedevice.device.cuda.CudaProvider;
import io.pipedevice.device.pci.PciHost;
import io.pipedevice.device.pci.PciSlot;
import io.pipedevice.linux.HugePages;
import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the devices that a driver on this machine could use. */
@Command(
        name = "devices",
        description = "List the devices that a driver could use on this machine, and what each of them needs.",
        footer = {"", "docs/devices.md says more."})
final class DevicesCommand implements Callable<Integer> {
    private static final int ACCELERATOR = 0x12;
    private static final int DISPLAY = 0x03;
    private static final int NVIDIA = 0x10DE;
    private static final String VFIO_DRIVER = "vfio-pci";

    @Spec
    private CommandSpec spec;

    @Option(names = "--all", description = "List every PCI function, also those that a driver cannot use.")
    private boolean all;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PciHost host = new PciHost();
        List<PciSlot> slots = host.slots();
        printHost(out, host, slots);
        out.println("Devices, for './pipedevice driver --device':");
        printDevice(out, "emulator", "copies on the driver's processor; always there", List.of());
        printGpus(out, all || slots.stream().anyMatch(DevicesCommand::isNvidiaGpu));
        int left = 0;
        for (PciSlot slot : slots) {
            if (all || isOfInterest(slot)) {
                printDevice(out, "vfio:" + slot.address(), describe(slot), host.obstacles(slot));
            } else {
                left++;
            }
        }
        if (left > 0) {
            out.println("  (" + left + " more PCI functions, neither accelerators nor bound to vfio-pci: --all)");
        }
        out.flush();
        return 0;
    }

    private static boolean isNvidiaGpu(PciSlot slot) {
        return slot.vendor() == NVIDIA && slot.classCode() >>> 16 == DISPLAY;
    }

    /** Prints the GPUs; if CUDA shows none, says why not where that is of interest. */
    private static void printGpus(PrintWriter out, boolean expected) {
        try {
            for (CudaGpu gpu : CudaGpu.list(System.getProperty(CudaProvider.LIBRARY_PROP_NAME))) {
                printDevice(
                        out,
                        "cuda:" + gpu.index(),
                        gpu.name() + " at " + gpu.pciAddress() + "; with /engines by its copy engines",
                        gpu.obstacles());
            }
        } catch (IOException e) {
            if (expected) {
                printDevice(out, "cuda:NUMBER", "an NVIDIA GPU", List.of(e.getMessage()));
            }
        }
    }

    private static void printHost(PrintWriter out, PciHost host, List<PciSlot> slots) throws IOException {
        long groups = slots.stream()
                .map(PciSlot::group)
                .filter(group -> !group.isEmpty())
                .distinct()
                .count();
        long limit = ProcessFacts.lockedMemoryLimit(0);
        int mappings = host.mappingLimit();
        out.println("This machine:");
        out.println("  IOMMU          "
                + (groups > 0
                        ? groups + " groups of PCI functions"
                        : "none: enable it in the firmware, and boot with intel_iommu=on where that is needed"));
        out.println("  VFIO           " + file(host.containerFile(), "modprobe vfio-pci") + ", "
                + file(host.iommuFile(), "newer kernels have it; not needed"));
        out.println("  2 MB pages     " + HugePages.free2M() + " free of " + HugePages.total2M()
                + (HugePages.total2M() > 0 ? "" : "; rings use normal pages: sysctl vm.nr_hugepages=N"));
        out.println("  locked memory  "
                + (limit == Long.MAX_VALUE
                        ? "no limit"
                        : limit + " bytes, which limits the rings that a PCI device can reach: ulimit -l"));
        if (mappings >= 0) {
            out.println("  mappings       " + mappings + " regions of rings for each device");
        }
        out.println();
    }

    private static String file(Path file, String ifMissing) {
        return file + (Files.exists(file) ? "" : " is missing (" + ifMissing + ")");
    }

    private static boolean isOfInterest(PciSlot slot) {
        return slot.driver().equals(VFIO_DRIVER) || slot.classCode() >>> 16 == ACCELERATOR;
    }

    private static String describe(PciSlot slot) {
        return String.format(
                Locale.ROOT,
                "%04x:%04x class %06x, a PD Stack if its registers say so, IOMMU group %s",
                slot.vendor(),
                slot.device(),
                slot.classCode(),
                slot.group().isEmpty() ? "none" : slot.group());
    }

    private static void printDevice(PrintWriter out, String name, String what, List<String> obstacles) {
        out.printf(Locale.ROOT, "  %-18s %s%n", name, what);
        if (obstacles.isEmpty()) {
            out.printf(Locale.ROOT, "  %-18s can be used%n", "");
        } else {
            obstacles.forEach(obstacle -> out.printf(Locale.ROOT, "  %-18s to do: %s%n", "", obstacle));
        }
    }
}
