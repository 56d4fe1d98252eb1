package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterleavingTest {

    private static final Duration HOUR = Duration.ofHours(1);

    /** The steps of a stop are like this: when one of them fails, the next one is tried. */
    @Test
    void close_whileACallWaitsWhoseProcessCallsAgain_endsBothCalls() {
        List<String> ended = new ArrayList<>();
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            VirtualTime time = new VirtualTime(Instant.EPOCH);
            try (Interleaving interleaving = new Interleaving(time)) {
                time.schedule(0, () -> {
                    waitOrEnd(interleaving, "first call", ended);
                    waitOrEnd(interleaving, "second call", ended);
                });
                interleaving.advance(Duration.ofSeconds(1));
            }
        });
        assertThat(ended).containsExactly("first call", "second call");
    }

    private static void waitOrEnd(Interleaving interleaving, String call, List<String> ended) {
        try {
            interleaving.sleep(HOUR.toNanos());
        } catch (Interleaving.ProcessEnded processEnded) {
            ended.add(call);
        }
    }
}
