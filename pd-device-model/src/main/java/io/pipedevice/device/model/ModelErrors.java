// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.model;

import io.pipedevice.device.fpga.FpgaDescriptor;

/** The error registers. Thread safe. */
final class ModelErrors {
    private final Runnable interrupt;
    private int status;
    private int enable;
    private long address;
    private int lane = FpgaDescriptor.NO_LANE;

    ModelErrors(Runnable interrupt) {
        this.interrupt = interrupt;
    }

    /** Reports an error. */
    void report(int error, long where, int ofLane) {
        boolean raise;
        synchronized (this) {
            if (status == 0) {
                address = where;
                lane = ofLane;
            }
            raise = (status & error) == 0 && (enable & error) != 0;
            status |= error;
        }
        if (raise) {
            interrupt.run();
        }
    }

    synchronized int status() {
        return status;
    }

    synchronized void clear(int errors) {
        status &= ~errors;
    }

    synchronized int enable() {
        return enable;
    }

    synchronized void enable(int errors) {
        enable = errors & FpgaDescriptor.ERROR_ALL;
    }

    synchronized long address() {
        return address;
    }

    synchronized int lane() {
        return lane;
    }

    synchronized void reset() {
        status = 0;
        enable = 0;
        address = 0;
        lane = FpgaDescriptor.NO_LANE;
    }
}
