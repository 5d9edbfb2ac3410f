// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.lang.foreign.MemorySegment;

/**
 * The copying part of the emulator: serves the lanes in turn, a bounded batch each, so that a busy lane cannot starve
 * the others.
 *
 * <p>Belongs to the thread that runs it (see {@link DmaEmulator}).
 */
class Engine {
    /** Most commands in a lane's turn. */
    static final int TURN_COMMANDS = 64;

    /** A turn ends with the command that reaches this many bytes. */
    static final int TURN_BYTES = 256 << 10;

    final EngineLane[] lanes;

    private final AddressTable addresses;
    private final int maxTransfer;

    Engine(EngineLane[] lanes, AddressTable addresses, int maxTransfer) {
        this.lanes = lanes;
        this.addresses = addresses;
        this.maxTransfer = maxTransfer;
    }

    /** Gives every lane a turn; returns the number of commands executed. */
    int run() {
        int work = 0;
        for (EngineLane lane : lanes) {
            work += serve(lane);
        }
        return work;
    }

    private int serve(EngineLane lane) {
        if (!lane.unblock()) {
            return 0;
        }
        int commands = 0;
        int bytes = 0;
        boolean room = true;
        while (room && commands < TURN_COMMANDS && bytes < TURN_BYTES && lane.take()) {
            commands++;
            int status = execute(lane.command);
            if (status == CommandType.STATUS_OK) {
                bytes += lane.command.length();
            }
            room = lane.post(status);
        }
        lane.endTurn();
        return commands;
    }

    /** Whether {@link #run} would do anything. */
    boolean hasWork() {
        for (EngineLane lane : lanes) {
            if (lane.hasWork()) {
                return true;
            }
        }
        return false;
    }

    /** Completes all pending commands with {@code status}. */
    void drain(int status) {
        for (EngineLane lane : lanes) {
            lane.drain(status);
        }
    }

    /** Executes one command; returns its status. */
    final int execute(Command command) {
        if (command.type() != CommandType.SEND) {
            return CommandType.STATUS_TYPE;
        }
        int length = command.length();
        if (length < 1 || length > maxTransfer) {
            return CommandType.STATUS_LENGTH;
        }
        AddressTable.Entry source = addresses.resolve(command.source(), length, Access.READ);
        AddressTable.Entry destination = addresses.resolve(command.destination(), length, Access.WRITE);
        if (source == null || destination == null) {
            return CommandType.STATUS_ADDRESS;
        }
        try {
            MemorySegment.copy(
                    source.memory,
                    AddressTable.offset(command.source()),
                    destination.memory,
                    AddressTable.offset(command.destination()),
                    length);
            return CommandType.STATUS_OK;
        } catch (IllegalStateException | WrongThreadException e) {
            // The owner closed the memory before it unmapped it, or confined it to another thread. The JVM interrupts a
            // thread whose access it aborts, and an agent ends when its thread is interrupted.
            Thread.interrupted();
            return CommandType.STATUS_ADDRESS;
        } catch (InternalError e) {
            // The JVM reports a SIGBUS in this way: a page could not be allocated.
            return CommandType.STATUS_DEVICE;
        }
    }
}
