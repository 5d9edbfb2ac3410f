// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each reason why a GPU cannot be used has its sentence. */
@DisabledIfSystemProperty(named = "pipedevice.test.gpu", matches = "true", disabledReason = "a GPU plays no faults")
final class CudaGpuTest {
    private final TestCuda cuda = TestCuda.shared();

    @AfterEach
    void forget() {
        cuda.reset();
    }

    private static String refusal() {
        IOException e = assertThrows(IOException.class, () -> new CudaDevice(0, CudaFixture.parameters()));
        return e.getMessage();
    }

    private static void assertContains(String part, String message) {
        assertTrue(message.contains(part), () -> '"' + message + "\" does not contain \"" + part + '"');
    }

    @Test
    void aGpuThatCanBeUsedHasNoObstacles() throws IOException {
        CudaGpu gpu = CudaGpu.list(CudaFixture.library()).getFirst();
        assertEquals(0, gpu.index());
        assertTrue(gpu.obstacles().isEmpty(), gpu.obstacles()::toString);
        assertTrue(gpu.pciAddress().matches("[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.0"), gpu::pciAddress);
    }

    @Test
    void aMissingLibraryIsNamed() {
        IOException e = assertThrows(IOException.class, () -> CudaGpu.list("/nonexistent/libcuda.so.1"));
        assertContains("/nonexistent/libcuda.so.1", e.getMessage());
        assertContains("pipedevice.driver.cuda.library", e.getMessage());
    }

    @Test
    void aLibraryWithoutAFunctionIsTooOld() {
        IOException e = assertThrows(IOException.class, () -> CudaGpu.list("libc.so.6"));
        assertContains("too old", e.getMessage());
        assertContains("cuInit", e.getMessage());
    }

    @Test
    void refusalWithoutAGpuNamesNvidiaSmiAndMig() {
        cuda.plan(TestCuda.Fault.DEVICES, 0);
        assertContains("nvidia-smi -L", refusal());
        assertContains("MIG", refusal());
    }

    @Test
    void aNumberThatNoGpuHasIsRefused() {
        IOException e = assertThrows(IOException.class, () -> new CudaDevice(7, CudaFixture.parameters()));
        assertContains("there is no GPU 7", e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "75, 6, compute capability is 6.0",
        "20, 2, compute mode prohibits",
        "91, 0, at the host's addresses",
        "99, 0, at the host's addresses",
        "113, 0, only read"
    })
    void anAttributeThatIsMissingIsAnObstacle(int attribute, int value, String sentence) throws IOException {
        cuda.attribute(attribute, value);
        assertContains(
                sentence,
                CudaGpu.list(CudaFixture.library()).getFirst().obstacles().getFirst());
        assertContains(sentence, refusal());
    }

    @ParameterizedTest
    @CsvSource({"46, exclusive", "2, no memory left", "999, no context can be created"})
    void aContextThatIsRefusedHasAReason(int code, String sentence) {
        cuda.plan(TestCuda.Fault.FAIL_CONTEXT, code);
        assertContains(sentence, refusal());
    }

    @Test
    void memoryThatCannotBePinnedIsAnErrorAndNothingIsLeft() {
        cuda.plan(TestCuda.Fault.FAIL_REGISTRATION, 1);
        assertContains("ulimit -l", refusal());
        assertEquals(0, cuda.count(TestCuda.Counter.CONTEXTS));
        assertEquals(0, cuda.count(TestCuda.Counter.REGISTRATIONS));
    }
}
