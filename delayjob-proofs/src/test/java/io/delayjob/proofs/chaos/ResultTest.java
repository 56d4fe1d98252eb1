package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultTest {

    private static Samples samples(long... millis) {
        Samples samples = new Samples();
        for (long value : millis) {
            samples.add(value);
        }
        return samples;
    }

    private static Result result(Map<Check, List<String>> violations) {
        return Result.of(
                17,
                Duration.ofSeconds(50),
                new Figures(
                        1_000,
                        100,
                        3,
                        50,
                        1_200,
                        4,
                        1,
                        2,
                        0,
                        Map.of(FaultKind.KILL, 2L),
                        samples(1_400, 1_600),
                        samples(4_000),
                        samples(),
                        samples(1, 1, 3)),
                violations);
    }

    @Test
    void aLineOfText_saysItAll() {
        Result result = result(Map.of(Check.NOTHING_LOST, List.of("job 1", "job 2")));

        assertThat(Result.parse(result.toText())).hasToString(result.toString());
    }

    @Test
    void severalResults_addUp() {
        Result sum = Result.sum(List.of(result(Map.of()), result(Map.of(Check.NEVER_EARLY, List.of("job 3")))));

        assertThat(sum.counts()).containsEntry("committed", 2_000L).containsEntry("fenced", 4L);
        assertThat(sum.faults()).containsEntry(FaultKind.KILL, 4L);
        assertThat(sum.violations()).containsOnly(Map.entry(Check.NEVER_EARLY, 1L));
        assertThat(sum.recovery().count()).isEqualTo(4);
    }

    @Test
    void percentiles_areThoseOfTheSamples() {
        Samples samples = new Samples();
        for (int value = 1; value <= 1_000; value++) {
            samples.add(value);
        }

        assertThat(samples.percentile(0.5)).isEqualTo(500);
        assertThat(samples.percentile(0.99)).isEqualTo(990);
        assertThat(samples.percentile(0.999)).isEqualTo(999);
        assertThat(samples.max()).isEqualTo(1_000);
    }
}
