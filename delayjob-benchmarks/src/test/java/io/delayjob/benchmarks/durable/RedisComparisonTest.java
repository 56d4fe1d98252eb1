package io.delayjob.benchmarks.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.delayjob.benchmarks.durable.Comparison.Result;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A few jobs of each contender that a build can have. BullMQ is compared by hand. */
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
    void otherContenders_onClusters_areRefused() {
        assertThatThrownBy(
                        () -> Comparison.main(new String[] {"--store=redis", "--masters=1,2", "--contenders=redisson"}))
                .hasMessageContaining("with --masters only delayjob takes part");
    }

    @Test
    void unknownContender_isRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> Comparison.main(new String[] {"--store=redis", "--contenders=bullmq"}))
                .hasMessageContaining("bullmq needs --bullmq=<directory>")
                .hasMessageContaining("redisson");
    }
}
