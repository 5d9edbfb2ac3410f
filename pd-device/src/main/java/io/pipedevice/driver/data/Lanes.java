// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.driver.share.Share;
import io.pipedevice.queue.Command;
import java.util.Arrays;

/**
 * The device's lanes, and the work that each has. A lane is first in, first out, and no command can overtake another.
 * So a lane gets no more than it needs to stay busy until the next duty cycle ({@link #WINDOW_NS}); what waits, waits
 * with the driver, which gives each process its turn. Belongs to the driver's thread.
 */
final class Lanes {
    /** A lane is full when its commands cost this much: less than what a ring of 1 MB holds. */
    private static final int WINDOW_NS = 48_000;

    private final int queueDepth;
    private final int[] commands;
    private final int[] costNs;
    private DeviceLane[] lanes;
    private int full;
    private int outstanding;

    Lanes(Device device) {
        this.queueDepth = device.capabilities().queueDepth();
        this.lanes = new DeviceLane[device.capabilities().lanes()];
        this.commands = new int[lanes.length];
        this.costNs = new int[lanes.length];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = device.lane(i);
        }
    }

    /** The number of lanes; 0 if the device is lost. */
    int count() {
        return lanes.length;
    }

    /** The lane of a connection. The commands of a lane are copied in order. */
    int of(Connection connection) {
        return of(connection.id);
    }

    /** The lane of anything else whose commands are copied in order. */
    int of(int number) {
        return number % commands.length;
    }

    /** Whether a lane has room, according to the driver's own count. */
    boolean hasRoom(int lane) {
        return !isFull(lane) && lane < lanes.length && lanes[lane].outstanding() < queueDepth;
    }

    /** Whether no lane has room. */
    boolean areFull() {
        return full == commands.length;
    }

    private boolean isFull(int lane) {
        return commands[lane] >= queueDepth || costNs[lane] >= WINDOW_NS;
    }

    /** Submits a command to a lane that has room; false if the device refuses it. */
    boolean submit(int lane, Command next) {
        if (!lanes[lane].submit(next)) {
            return false;
        }
        outstanding++;
        commands[lane]++;
        costNs[lane] += Share.cost(next.length());
        full += isFull(lane) ? 1 : 0;
        return true;
    }

    /** Publishes the submitted commands to the device. */
    void flush() {
        for (DeviceLane lane : lanes) {
            lane.flush();
        }
    }

    /** Takes a completion, without checks of its content; false if none has come. */
    boolean poll(int lane, Command into) {
        return lanes[lane].complete(into);
    }

    /** Returns the entries of the completions that were taken to the device. */
    void flushCompletions(int lane) {
        lanes[lane].flushCompletions();
    }

    /** Counts a completion that matches a submitted command. */
    void completed(int lane, int bytes) {
        boolean before = isFull(lane);
        outstanding--;
        commands[lane]--;
        costNs[lane] -= Share.cost(bytes);
        full -= before && !isFull(lane) ? 1 : 0;
    }

    /** The number of commands that were submitted and are not completed. */
    int outstanding() {
        return outstanding;
    }

    /** Counts no command as outstanding any more, because the device lost them in its reset. */
    void forget() {
        outstanding = 0;
        full = 0;
        Arrays.fill(commands, 0);
        Arrays.fill(costNs, 0);
    }

    /** Gives the lanes up, because the device is lost. */
    void abandon() {
        lanes = new DeviceLane[0];
        forget();
    }

    boolean requestInterrupts() {
        for (DeviceLane lane : lanes) {
            if (!lane.requestInterrupt()) {
                return false;
            }
        }
        return true;
    }

    void cancelInterrupts() {
        for (DeviceLane lane : lanes) {
            lane.cancelInterrupt();
        }
    }
}
