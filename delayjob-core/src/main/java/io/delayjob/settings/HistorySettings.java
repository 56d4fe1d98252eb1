package io.delayjob.settings;

import java.time.Duration;

/**
 * The retention periods of ended jobs and of statistics; each period is zero or more.
 *
 * @param finished how long finished jobs are kept. With {@link Duration#ZERO}, finished jobs leave no row
 * @param cancelled how long cancelled jobs are kept
 * @param failed how long failed jobs are kept and can be retried
 * @param statistics how long the statistics of each minute are kept. With {@link Duration#ZERO}, no statistics are
 *     stored
 */
public record HistorySettings(Duration finished, Duration cancelled, Duration failed, Duration statistics) {

    public HistorySettings {
        SettingCheck.atLeast("history.finished", finished, Duration.ZERO);
        SettingCheck.atLeast("history.cancelled", cancelled, Duration.ZERO);
        SettingCheck.atLeast("history.failed", failed, Duration.ZERO);
        SettingCheck.atLeast("statistics.retention", statistics, Duration.ZERO);
    }
}
