package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.actuate.endpoint.PulseDescriptor.CallDescriptor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StoreTimesTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final StoreTimes times = new StoreTimes(registry);

    private void called(String operation, String exception, long millis, String... tags) {
        registry.timer("delayjob.store", tagged(tags, "operation", operation, "exception", exception))
                .record(Duration.ofMillis(millis));
    }

    private static String[] tagged(String[] tags, String... more) {
        String[] all = Arrays.copyOf(tags, tags.length + more.length);
        System.arraycopy(more, 0, all, tags.length, more.length);
        return all;
    }

    private static CallDescriptor call(String operation, long mean, long max) {
        return new CallDescriptor(operation, Duration.ofMillis(mean), Duration.ofMillis(max));
    }

    @Test
    void mean_isThatOfTheCallsSinceTheLastRead() {
        called("claim", "none", 2);
        called("claim", "none", 4);
        called("find", "none", 90);
        called("claim", "StoreException", 5_000);
        assertThat(times.read(null)).containsExactly(call("claim", 3, 4));

        called("claim", "none", 9);
        called("submit", "none", 1);
        assertThat(times.read(null)).containsExactly(call("claim", 9, 9), call("submit", 1, 1));
    }

    @Test
    void mean_withoutACallSinceTheLastRead_isThatOfAllCalls() {
        called("complete", "none", 2);
        called("complete", "none", 6);
        times.read(null);
        assertThat(times.read(null)).containsExactly(call("complete", 4, 6));
    }

    @Test
    void stores_haveTimesOfTheirOwn() {
        called("claim", "none", 2, "store", "orders");
        called("claim", "none", 8, "store", "mails");
        assertThat(times.read("orders")).containsExactly(call("claim", 2, 2));
        assertThat(times.read("mails")).containsExactly(call("claim", 8, 8));
    }
}
