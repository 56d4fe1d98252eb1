package io.delayjob.settings;

import io.delayjob.job.JobPlan;
import java.time.Duration;

/**
 * The settings for preloaded rows, which are read before they are due and stay in memory until their jobs start.
 *
 * @param wheelTick resolution of the timing wheel, 1 µs or more
 * @param maxJobs maximum number of jobs kept in memory, 100 or more
 * @param window maximum time from the read of a row to the row's due time, 100 ms or more
 * @param batchSize maximum number of rows that are read, claimed or written at once, 1 to 5,000
 * @param claimLead maximum time from the claim of a job to its due time, up to 1 s. An early claim lets the job start
 *     on time. With {@link Duration#ZERO}, jobs are claimed when they are due
 */
public record PreloadSettings(Duration wheelTick, int maxJobs, Duration window, int batchSize, Duration claimLead) {

    public PreloadSettings {
        SettingCheck.atLeast("wheel.tick", wheelTick, Duration.ofNanos(1_000));
        SettingCheck.holds(maxJobs >= 100, "wheel.max-jobs", maxJobs, "must be 100 or more");
        SettingCheck.atLeast("preload.window", window, Duration.ofMillis(100));
        SettingCheck.holds(
                batchSize >= 1 && batchSize <= 5_000, "preload.batch-size", batchSize, "must be from 1 to 5000");
        SettingCheck.holds(
                !claimLead.isNegative() && claimLead.compareTo(JobPlan.LONGEST_CLAIM_LEAD) <= 0,
                "claim-lead",
                claimLead,
                "must be from PT0S to " + JobPlan.LONGEST_CLAIM_LEAD);
    }
}
