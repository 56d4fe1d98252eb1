package io.delayjob.settings;

import java.time.Duration;

final class SettingCheck {

    private SettingCheck() {}

    static void atLeast(String key, Duration value, Duration least) {
        holds(value.compareTo(least) >= 0, key, value, "must be %s or more".formatted(least));
    }

    static void holds(boolean holds, String key, Object value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("Invalid delayjob.%s %s: %s.".formatted(key, value, rule));
        }
    }
}
