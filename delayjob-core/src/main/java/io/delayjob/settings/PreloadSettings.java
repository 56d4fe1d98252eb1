package io.delayjob.settings;

import java.time.Duration;

/**
 * How rows are read ahead and kept in memory until they start.
 *
 * @param wheelTick resolution of the wheel, 1 µs or more
 * @param maxJobs maximum number of jobs kept in memory, 100 or more
 * @param window how far ahead due rows are read, 100 ms or more
 * @param batchSize maximum number of rows of one read, claim or write, 1 to 5,000
 * @param claimLead longest time before its due time that a job is claimed, up to 1 s, so that it can start on time.
 *     The actual time is what claims are measured to take, and up to 5 ms more. {@link Duration#ZERO}: claimed when due
 */
public record PreloadSettings(Duration wheelTick, int maxJobs, Duration window, int batchSize, Duration claimLead) {

    /** A claimed job can no longer be cancelled: a longer lead would be a change of due times. */
    private static final Duration MAX_CLAIM_LEAD = Duration.ofSeconds(1);

    public PreloadSettings {
        SettingCheck.atLeast("wheel.tick", wheelTick, Duration.ofNanos(1_000));
        SettingCheck.holds(maxJobs >= 100, "wheel.max-jobs", maxJobs, "must be 100 or more");
        SettingCheck.atLeast("preload.window", window, Duration.ofMillis(100));
        SettingCheck.holds(
                batchSize >= 1 && batchSize <= 5_000, "preload.batch-size", batchSize, "must be from 1 to 5000");
        SettingCheck.holds(
                !claimLead.isNegative() && claimLead.compareTo(MAX_CLAIM_LEAD) <= 0,
                "claim-lead",
                claimLead,
                "must be from PT0S to " + MAX_CLAIM_LEAD);
    }
}
