// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.ExternalClusterManager;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.scheduler.TaskScheduler;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import org.apache.spark.scheduler.cluster.CoarseGrainedSchedulerBackend;

/**
 * A cluster whose executors the application's caller starts, each where it wants. Spark's own cluster would also need a
 * master and a worker in each place, whose JVMs would share the processors with the executors.
 */
public final class GivenExecutors implements ExternalClusterManager {
    /** The name of the cluster in an application's settings. */
    static final String MASTER = "given-executors";

    /** Creates the cluster; Spark does. */
    public GivenExecutors() {}

    @Override
    public boolean canCreate(String master) {
        return master.equals(MASTER);
    }

    @Override
    public TaskScheduler createTaskScheduler(SparkContext context, String master) {
        return new TaskSchedulerImpl(context);
    }

    @Override
    public SchedulerBackend createSchedulerBackend(SparkContext context, String master, TaskScheduler scheduler) {
        return new CoarseGrainedSchedulerBackend(
                (TaskSchedulerImpl) scheduler, context.env().rpcEnv());
    }

    @Override
    public void initialize(TaskScheduler scheduler, SchedulerBackend backend) {
        ((TaskSchedulerImpl) scheduler).initialize(backend);
    }
}
