package io.delayjob.benchmarks.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.delayjob.benchmarks.durable.Comparison.Result;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A few jobs of each contender that a build can have. BullMQ is compared by hand. */
@Tag("full")
class RedisComparisonTest {

    private static final int JOBS = 500;

    @ParameterizedTest
    @ValueSource(strings = {"delayjob", "delayjob-without-history", "redisson"})
    void contender_runsEachJobOnce(String name) throws Exception {
        Result result = RedisComparison.run(RedisContender.all(null).get(name), JOBS, "everysec");

        assertThat(result.repeated()).isZero();
        // A connection that ends meanwhile frees more memory than a few jobs take, so that figure may even be negative.
        assertThat(result.figures())
                .hasSize(5)
                .filteredOn(figure -> !figure.pattern().contains("memory"))
                .hasSize(4)
                .allSatisfy(figure ->
                        assertThat(figure.value()).as(figure.toString()).isPositive());
    }

    @Test
    void delayjobOnACluster_runsEachJobOnce_andEachMasterHasAShareOfTheWork() throws Exception {
        Result result =
                RedisClusterRound.run(new RedisDelayJobContender(true, 50), 2, JOBS, "everysec", Duration.ofMinutes(1));

        assertThat(result.repeated()).isZero();
        assertThat(result.figures())
                .hasSize(6)
                .allSatisfy(figure ->
                        assertThat(figure.value()).as(figure.toString()).isPositive());
        assertThat(result.figures().get(4).value() + result.figures().get(5).value())
                .isCloseTo(100, within(0.1));
    }

    @Test
    void otherContenders_onClusters_orForLateness_areRefused() {
        assertThatThrownBy(
                        () -> Comparison.main(new String[] {"--store=redis", "--masters=1,2", "--contenders=redisson"}))
                .hasMessageContaining("only delayjob takes part with --masters or --scenario=lateness");
        assertThatThrownBy(() ->
                        Comparison.main(new String[] {"--store=redis", "--scenario=lateness", "--contenders=redisson"}))
                .hasMessageContaining("only delayjob takes part with --masters or --scenario=lateness");
    }

    @Test
    void jobsThatComeDue_startOnceAndNotEarly() throws Exception {
        int jobs = 200;

        Result result = new RedisLatenessRound(jobs, 200, Duration.ofMillis(500))
                .run(new RedisDelayJobContender(true, 1), "everysec", Duration.ofMinutes(1));

        assertThat(result.repeated()).as("%s", result).isZero();
        assertThat(result.early()).as("%s", result).isZero();
        assertThat(result.figures().get(0).pattern()).startsWith("p50");
        assertThat(result.figures().get(5).value())
                .as("jobs that count, in %s", result)
                .isEqualTo(jobs / 2);
    }

    @Test
    void unknownContender_isRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> Comparison.main(new String[] {"--store=redis", "--contenders=bullmq"}))
                .hasMessageContaining("bullmq needs --bullmq=<directory>")
                .hasMessageContaining("redisson");
    }
}
