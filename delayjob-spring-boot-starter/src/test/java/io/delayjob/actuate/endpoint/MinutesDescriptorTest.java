package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.store.MinuteCounts;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MinutesDescriptorTest {

    private static final Instant NOW = Instant.parse("2030-01-01T08:00:30Z");

    private static final List<Long> LATE =
            LongStream.range(0, MinuteCounts.LATE_SIZE).boxed().toList();

    private static MinuteSpan span(String... parameters) {
        Map<String, Object> request = Map.of(parameters[0], parameters[1], parameters[2], parameters[3]);
        return MinutesDescriptor.span(new RequestParameters(request), NOW);
    }

    private static MinuteSum sum(int bucket, String name, int starts) {
        return new MinuteSum(bucket, name, new MinuteCounts(starts, starts, 2, 1, Duration.ofSeconds(starts), LATE));
    }

    private static MinutesDescriptor answer(MinuteSum... sums) {
        MinuteSpan span = new MinuteSpan(Instant.parse("2030-01-01T08:00:00Z"), Duration.ofMinutes(2), 3);
        return MinutesDescriptor.of(span, Duration.ofDays(7), List.of(sums));
    }

    @Test
    void span_beginsAndEndsWithWholeSteps() {
        assertThat(span("from", "2030-01-01T07:59:59Z", "step", "1m"))
                .isEqualTo(new MinuteSpan(Instant.parse("2030-01-01T07:59:00Z"), Duration.ofMinutes(1), 2));
        assertThat(span("from", "2030-01-01T07:59:59Z", "step", "1h"))
                .isEqualTo(new MinuteSpan(Instant.parse("2030-01-01T07:00:00Z"), Duration.ofHours(1), 2));
    }

    @Test
    void sums_areToldByBucketAndHandler() {
        MinutesDescriptor answer = answer(sum(0, "bill", 5), sum(2, "mail", 7), sum(0, "mail", 3));

        assertThat(answer.starts()).containsExactly(8L, 0L, 7L);
        assertThat(answer.succeeded()).containsExactly(8L, 0L, 7L);
        assertThat(answer.retried()).containsExactly(4L, 0L, 2L);
        assertThat(answer.failed()).containsExactly(2L, 0L, 1L);
        assertThat(answer.late().get(0)).element(13).isEqualTo(26L);
        assertThat(answer.late().get(2)).isEqualTo(LATE);
        assertThat(answer.handlers())
                .extracting(MinutesDescriptor.HandlerMinutes::name)
                .as("the busiest first")
                .containsExactly("mail", "bill");
        assertThat(answer.handlers().get(0)).satisfies(mail -> {
            assertThat(mail.starts()).containsExactly(3L, 0L, 7L);
            assertThat(mail.ended()).isEqualTo(16);
            assertThat(mail.runTime()).isEqualTo(Duration.ofSeconds(10));
            assertThat(mail.late()).element(13).isEqualTo(26L);
        });
    }

    @Test
    void handlersWithoutNumbersOfTheirOwn_countInTheTotalsOnly() {
        MinutesDescriptor answer = answer(sum(0, MinuteRow.OTHERS, 5), sum(0, "mail", 3));

        assertThat(answer.starts()).containsExactly(8L, 0L, 0L);
        assertThat(answer.handlers()).hasSize(1);
    }

    @Test
    void quietSpan_isAllZeros() {
        MinutesDescriptor answer = answer();

        assertThat(answer.starts()).containsExactly(0L, 0L, 0L);
        assertThat(answer.late()).containsOnly(Collections.nCopies(14, 0L));
        assertThat(answer.handlers()).isEmpty();
    }
}
