package io.delayjob.settings;

import java.time.Duration;

/**
 * How long ended jobs are kept, each zero or more.
 *
 * @param finished finished ones; {@link Duration#ZERO}: they leave no row at all
 * @param cancelled cancelled ones
 * @param failed failed ones, which can be retried as long as they are kept
 */
public record HistorySettings(Duration finished, Duration cancelled, Duration failed) {

    public HistorySettings {
        SettingCheck.atLeast("history.finished", finished, Duration.ZERO);
        SettingCheck.atLeast("history.cancelled", cancelled, Duration.ZERO);
        SettingCheck.atLeast("history.failed", failed, Duration.ZERO);
    }
}
