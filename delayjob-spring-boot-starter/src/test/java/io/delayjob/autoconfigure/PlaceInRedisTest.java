package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.env.MockEnvironment;

/** The connections to the Redis that a named store's URL names. */
class PlaceInRedisTest {

    /** The leases of the store use these connections. */
    @ParameterizedTest
    @CsvSource({"10s, PT3S", "6s, PT1.8S", "60s, PT5S"})
    void connections_waitForAnAnswerAsLongAsTheStore(String liveness, Duration expected) {
        MockEnvironment environment = new MockEnvironment()
                .withProperty("delayjob.liveness", liveness)
                .withProperty("delayjob.stores.fast.url", "redis://127.0.0.1:6379");

        long millis =
                PlaceInRedis.connections(NamedStore.all(environment).get(0)).getTimeout();

        assertThat(Duration.ofMillis(millis)).isEqualTo(expected);
    }
}
