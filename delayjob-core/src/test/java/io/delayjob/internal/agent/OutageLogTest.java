package io.delayjob.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.CapturedLog;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutageLogTest {

    private static final StoreException AWAY =
            StoreException.unavailable("no connection", new IllegalStateException("refused"));

    private final CapturedLog log = new CapturedLog();
    private final OutageLog outages = new OutageLog();
    private long now;

    @AfterEach
    void close() {
        log.close();
    }

    private void pass(long millis) {
        now += Duration.ofMillis(millis).toNanos();
    }

    private void fails(String role) {
        outages.failed(role, AWAY, now, now);
    }

    private void works(String role) {
        outages.worked(role, now);
    }

    private List<String> lines() {
        return log.lines("OutageLog");
    }

    @Test
    void outage_isToldByTheFirstRoleThatNoticesIt() {
        fails("claim");
        fails("sweep");
        fails("claim");

        assertThat(lines())
                .singleElement()
                .asString()
                .contains(
                        "WARN",
                        "The job store did not answer delayjob's background task 'claim', which waited 0 ms",
                        "no connection");
    }

    @Test
    void end_isToldOnceEveryRoleHasWorkedAndNothingHasFailedForFiveSeconds() {
        fails("claim");
        fails("sweep");
        pass(12_000);
        works("claim");
        pass(6_000);
        works("claim");
        assertThat(lines()).as("the sweep still fails").hasSize(1);
        works("sweep");
        pass(4_999);
        works("wheel");
        assertThat(lines()).hasSize(1);
        pass(1);
        works("wheel");

        assertThat(lines())
                .hasSize(2)
                .last()
                .asString()
                .contains("INFO", "answers again after 18 s", "claim 1, sweep 1");
    }

    @Test
    void failureWithinFiveSeconds_belongsToTheSameOutage() {
        fails("claim");
        pass(1_000);
        works("claim");
        pass(4_000);
        fails("claim");
        pass(1_000);
        works("claim");
        pass(5_000);
        works("claim");

        assertThat(lines()).hasSize(2).last().asString().contains("after 6 s", "claim 2");
    }

    @Test
    void outageThatLasts_isToldAgainEveryTenMinutes() {
        for (int i = 0; i <= 25 * 60; i++) {
            fails("heartbeat");
            pass(1_000);
        }

        assertThat(lines()).hasSize(3).last().asString().contains("WARN", "for 20 min", "heartbeat 1200");
    }

    @Test
    void roleThatWorksWhileTheStoreAnswers_isNotTold() {
        works("claim");
        pass(60_000);
        works("claim");

        assertThat(lines()).isEmpty();
    }
}
