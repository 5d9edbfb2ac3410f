// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.extension;

import io.pipedevice.driver.control.ControlRequest;
import io.pipedevice.driver.control.Refusal;
import io.pipedevice.driver.control.Reply;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.linux.Errno;
import java.util.function.IntPredicate;

/** The extension of a driver that serves sockets alone: it refuses the messages of the one that was left out. */
public final class NoExtension implements DriverExtension {
    private final IntPredicate types;
    private final IntPredicate carriers;
    private final String reason;

    /**
     * Begins.
     *
     * @param types of the messages that are refused; others are unknown to the driver
     * @param carriers those of them that may carry descriptors
     * @param reason of the refusal, for the process
     */
    public NoExtension(IntPredicate types, IntPredicate carriers, String reason) {
        this.types = types;
        this.carriers = carriers;
        this.reason = reason;
    }

    @Override
    public boolean handles(int type) {
        return types.test(type);
    }

    @Override
    public boolean mayCarryDescriptors(int type) {
        return carriers.test(type);
    }

    @Override
    public Reply handle(ControlRequest request) throws Refusal {
        throw new Refusal(Errno.EOPNOTSUPP, reason);
    }

    @Override
    public int work(long nowNs) {
        return 0;
    }

    @Override
    public void wake() {}

    @Override
    public int finish() {
        return 0;
    }

    @Override
    public boolean isBusy() {
        return false;
    }

    @Override
    public long waitNs(long nowNs) {
        return Long.MAX_VALUE;
    }

    @Override
    public void policyChanged() {}

    @Override
    public void leave(AttachedProcess process) {}

    @Override
    public boolean release(AttachedProcess process) {
        return true;
    }

    @Override
    public void stop() {}

    @Override
    public void close() {}
}
