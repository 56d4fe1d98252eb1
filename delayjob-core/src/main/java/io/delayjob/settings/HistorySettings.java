package io.delayjob.settings;

import java.time.Duration;

/**
 * How long ended jobs and statistics are kept, each zero or more.
 *
 * @param finished finished ones; {@link Duration#ZERO}: they leave no row at all
 * @param cancelled cancelled ones
 * @param failed failed ones, which can be retried as long as they are kept
 * @param statistics how long the numbers of each minute are kept; {@link Duration#ZERO}: nothing is counted
 */
public record HistorySettings(Duration finished, Duration cancelled, Duration failed, Duration statistics) {

    public HistorySettings {
        SettingCheck.atLeast("history.finished", finished, Duration.ZERO);
        SettingCheck.atLeast("history.cancelled", cancelled, Duration.ZERO);
        SettingCheck.atLeast("history.failed", failed, Duration.ZERO);
        SettingCheck.atLeast("statistics.retention", statistics, Duration.ZERO);
    }
}
