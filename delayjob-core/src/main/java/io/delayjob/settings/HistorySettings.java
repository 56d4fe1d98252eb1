package io.delayjob.settings;

import java.time.Duration;

/**
 * Retention times of ended jobs, each zero or more.
 *
 * @param finished the time for which finished jobs are kept; with {@link Duration#ZERO} they leave no row at all
 * @param cancelled the time for which cancelled jobs are kept
 * @param failed the time for which failed jobs are kept and can be retried
 */
public record HistorySettings(Duration finished, Duration cancelled, Duration failed) {

    public HistorySettings {
        SettingCheck.atLeast("history.finished", finished, Duration.ZERO);
        SettingCheck.atLeast("history.cancelled", cancelled, Duration.ZERO);
        SettingCheck.atLeast("history.failed", failed, Duration.ZERO);
    }
}
