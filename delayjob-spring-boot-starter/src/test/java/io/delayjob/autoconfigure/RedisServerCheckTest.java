package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The versions of Redis that can keep jobs. */
class RedisServerCheckTest {

    private static final String SERVER = "127.0.0.1:6379";

    private final RedisServerCheck check = new RedisServerCheck(new LettuceConnectionFactory(), 0);

    private static Properties info(String version) {
        Properties info = new Properties();
        info.setProperty("redis_version", version);
        info.setProperty("role", "master");
        info.setProperty("maxmemory_policy", "noeviction");
        return info;
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.0.14", "6.2.11"})
    void versionBefore7_isRefusedWithTheNextStep(String version) {
        assertThatThrownBy(() -> check.check(SERVER, info(version)))
                .isInstanceOfSatisfying(
                        JobDatabaseException.class,
                        refused -> assertThat(refused.action()).isEqualTo("Use Redis 7.0 or later, or Valkey."))
                .hasMessage(
                        "Redis at 127.0.0.1:6379 must not keep jobs: its version is %s, and delayjob needs 7.0 or later."
                                .formatted(version));
    }

    /** Valkey states 7.2.4 here, and its own version elsewhere. */
    @ParameterizedTest
    @ValueSource(strings = {"7.0.0", "7.2.4", "8.0.2", "10.0.1", "unknown"})
    void laterVersion_orAnUnknownOne_isAccepted(String version) {
        assertThatCode(() -> check.check(SERVER, info(version))).doesNotThrowAnyException();
    }
}
