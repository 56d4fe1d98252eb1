package io.delayjob.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.CapturedLog;
import io.delayjob.StandingClock;
import io.delayjob.event.JobListeners;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class SupervisedAgentTest {

    private final StandingClock clock = new StandingClock();
    private final SupervisedAgent supervised =
            new SupervisedAgent(clock, new JobListeners(List.of()), new OutageLog(), new FaultLog());
    private LongSupplier work = () -> Agent.UNTIL_WOKEN;

    SupervisedAgentTest() {
        Agent agent = new Agent() {
            @Override
            public String roleName() {
                return "claim";
            }

            @Override
            public long doWork() {
                return work.getAsLong();
            }
        };
        supervised.start(agent, started -> new AgentHandle() {
            @Override
            public void wake() {}

            @Override
            public void stop() {}
        });
    }

    @Test
    void agentThatWorks_hasNoTrouble() {
        supervised.doWork();
        clock.advance(Duration.ofHours(1));
        assertThat(supervised.trouble()).as("it pauses").isNull();
    }

    @Test
    void callThatDoesNotEnd_isReportedAsTrouble_sinceItsBegin() {
        long called = clock.nanoTime();
        work = () -> {
            clock.advance(Duration.ofMillis(1_999));
            assertThat(supervised.trouble()).isNull();
            clock.advance(Duration.ofMillis(1));
            assertThat(supervised.trouble()).isNotNull();
            assertThat(supervised.trouble().sinceNanos()).isEqualTo(called);
            assertThat(supervised.trouble().reason()).contains("waits for a connection");
            return Agent.UNTIL_WOKEN;
        };
        assertThat(supervised.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        assertThat(supervised.trouble()).as("it has ended").isNull();
    }

    /** Otherwise the health would change from down to up when a wait of half a minute ends without success. */
    @Test
    void trouble_lastsSinceTheFirstFailedCall() {
        long called = clock.nanoTime();
        work = () -> {
            clock.advance(Duration.ofSeconds(30));
            throw new IllegalStateException("no connection");
        };
        long pause = supervised.doWork();
        assertThat(supervised.trouble().sinceNanos()).isEqualTo(called);
        assertThat(supervised.trouble().reason()).contains("no connection");

        clock.advance(Duration.ofNanos(pause));
        supervised.doWork();
        assertThat(supervised.trouble().sinceNanos()).as("the second failure").isEqualTo(called);

        work = () -> Agent.UNTIL_WOKEN;
        clock.advance(Duration.ofSeconds(1));
        supervised.doWork();
        assertThat(supervised.trouble()).isNull();
    }

    @Test
    void pausesGrowFrom50To800Milliseconds_evenIfItIsWoken() {
        work = () -> {
            throw new IllegalStateException("away");
        };
        for (long expected : new long[] {50, 100, 200, 400, 800, 800}) {
            long pause = supervised.doWork();
            assertThat(Duration.ofNanos(pause)).isEqualTo(Duration.ofMillis(expected));
            clock.advance(Duration.ofNanos(pause - 1));
            assertThat(supervised.doWork()).as("woken too early").isEqualTo(1);
            clock.advance(Duration.ofNanos(1));
        }
    }

    @Test
    void faultOfTheAgent_isLoggedWithItsStackOnceInTenMinutes() {
        work = () -> {
            throw new NullPointerException("pretended");
        };
        try (CapturedLog log = new CapturedLog()) {
            for (int i = 0; i < 1_000; i++) {
                clock.advance(Duration.ofNanos(supervised.doWork()));
            }

            assertThat(log.lines("delayjob's background task 'claim' failed"))
                    .as("of 1,000 failures within some 13 minutes")
                    .hasSize(2);
            assertThat(log.lines("at io.delayjob.internal.agent.SupervisedAgentTest"))
                    .hasSizeGreaterThanOrEqualTo(2);
        }
    }
}
