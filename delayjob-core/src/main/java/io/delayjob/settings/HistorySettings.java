package io.delayjob.settings;

import java.time.Duration;

/**
 * Says for how long ended jobs and statistics are kept; each time is zero or more.
 *
 * @param finished the time for which finished jobs are kept; with {@link Duration#ZERO}, finished jobs leave no row
 * @param cancelled the time for which cancelled jobs are kept
 * @param failed the time for which failed jobs are kept and can be retried
 * @param statistics the time for which the statistics of each minute are kept; with {@link Duration#ZERO}, no
 *     statistics are stored
 */
public record HistorySettings(Duration finished, Duration cancelled, Duration failed, Duration statistics) {

    public HistorySettings {
        SettingCheck.atLeast("history.finished", finished, Duration.ZERO);
        SettingCheck.atLeast("history.cancelled", cancelled, Duration.ZERO);
        SettingCheck.atLeast("history.failed", failed, Duration.ZERO);
        SettingCheck.atLeast("statistics.retention", statistics, Duration.ZERO);
    }
}
