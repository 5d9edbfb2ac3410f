// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.control.ControlRequest;
import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.control.Reply;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.OperationCopies;
import io.pipedevice.driver.extension.DriverExtension;
import io.pipedevice.driver.extension.DriverParts;
import io.pipedevice.driver.extension.NoExtension;
import io.pipedevice.driver.region.Operations;
import io.pipedevice.driver.region.RegionControl;
import io.pipedevice.driver.region.Rights;
import io.pipedevice.driver.region.SharedMessages;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Regions, one-sided operations and functions of attached processes. Belongs to the driver's thread. */
public final class ActiveExtension implements DriverExtension {
    /** The messages that may carry descriptors. */
    private static final Set<Integer> CARRIERS = Set.of(
            RegionMessage.OPEN_QUEUES,
            RegionMessage.REGISTER,
            FunctionMessage.REGISTER_FUNCTION,
            FunctionMessage.SERVE);

    /** How soon programs are looked at that wait for others to be verified. */
    private static final long VERIFICATION_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Operations operations;
    private final Functions functions;
    private final RegionControl regionControl;
    private final FunctionControl functionControl;

    /**
     * Begins without regions and functions.
     *
     * @param parts of the driver
     */
    public ActiveExtension(DriverParts parts) {
        OperationCopies moves =
                new OperationCopies(parts.device(), parts.copies(), parts.completions(), parts.counters());
        operations = new Operations(new Rights(parts.policy()), moves, parts.faulty(), parts.counters());
        functions = new Functions(operations, moves, parts.faulty(), parts.signal(), parts.disposal()::close);
        SharedMessages shared = new SharedMessages(parts.attachments(), operations.rights(), parts.chores());
        regionControl = new RegionControl(parts.device(), parts.attachments(), operations, shared, parts.chores());
        functionControl = new FunctionControl(functions, parts.attachments(), shared);
    }

    /**
     * Stands in a driver that serves sockets alone.
     *
     * @param reason of the refusal that a process gets which asks for regions or functions
     * @return the extension
     */
    public static DriverExtension off(String reason) {
        return new NoExtension(ActiveExtension::isActive, CARRIERS::contains, reason);
    }

    private static boolean isActive(int type) {
        return RegionMessage.is(type) || FunctionMessage.is(type);
    }

    @Override
    public boolean handles(int type) {
        return isActive(type);
    }

    @Override
    public boolean mayCarryDescriptors(int type) {
        return CARRIERS.contains(type);
    }

    @Override
    public Reply handle(ControlRequest request) throws Refusal {
        return FunctionMessage.is(request.message().type())
                ? functionControl.handle(request)
                : regionControl.handle(request);
    }

    @Override
    public int work(long nowNs) {
        return operations.run(nowNs);
    }

    @Override
    public void wake() {
        operations.ring();
    }

    @Override
    public int finish() {
        return functions.finish();
    }

    @Override
    public boolean isBusy() {
        return operations.isBusy();
    }

    @Override
    public long waitNs(long nowNs) {
        long waitNs = operations.waitNs(nowNs);
        return functions.waitsForTime() ? Math.min(waitNs, VERIFICATION_INTERVAL_NS) : waitNs;
    }

    @Override
    public void policyChanged() {
        operations.policyChanged();
    }

    @Override
    public void leave(AttachedProcess process) {
        operations.leave(process);
    }

    @Override
    public boolean release(AttachedProcess process) {
        return operations.release(process);
    }

    @Override
    public void stop() {
        functions.close();
    }

    @Override
    public void close() {
        operations.closeAll();
    }
}
