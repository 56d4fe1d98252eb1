package io.delayjob.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobIdTest {

    private static final long MILLIS = 1_893_456_000_000L;

    private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");

    @Test
    void createAscending_makesIdsOfVersion7ThatAscend() {
        for (RandomGenerator drawn : List.<RandomGenerator>of(random, () -> -1L, () -> 0L, () -> Long.MAX_VALUE)) {
            List<JobId> ids = JobId.createAscending(MILLIS, 100_000, drawn);

            assertThat(ids).hasSize(100_000).isSorted().doesNotHaveDuplicates();
            assertThat(Stream.of(ids.get(0), ids.get(99_999)).map(JobId::value)).allSatisfy(id -> {
                assertThat(id.version()).isEqualTo(7);
                assertThat(id.variant()).isEqualTo(2);
                assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(MILLIS);
            });
        }
    }

    @Test
    void createAscending_inTheSameMillisecond_createsDifferentIds() {
        Set<JobId> ids = new HashSet<>();
        IntStream.range(0, 1_000).forEach(i -> ids.addAll(JobId.createAscending(MILLIS, 100, random)));
        assertThat(ids).hasSize(100_000);
    }
}
