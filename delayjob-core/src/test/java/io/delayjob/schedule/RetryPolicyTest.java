package io.delayjob.schedule;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RetryPolicyTest {

    private static final RandomGenerator UNTOUCHED = () -> {
        throw new AssertionError("without jitter nothing is drawn");
    };

    private static List<Duration> delays(RetryPolicy policy, int limit) {
        return IntStream.rangeClosed(1, limit)
                .mapToObj(retry -> policy.delayBefore(retry, UNTOUCHED))
                .flatMap(Optional::stream)
                .toList();
    }

    @Test
    void defaults_doubleFrom10SecondsUpToAnHour_16Times() {
        RetryPolicy policy = RetryPolicy.defaults();

        assertThat(delays(policy, 100))
                .startsWith(ofSeconds(10), ofSeconds(20), ofSeconds(40))
                .endsWith(
                        ofSeconds(2560),
                        ofHours(1),
                        ofHours(1),
                        ofHours(1),
                        ofHours(1),
                        ofHours(1),
                        ofHours(1),
                        ofHours(1))
                .hasSize(16);
        assertThat(policy.maxRetries()).isEqualTo(16);
    }

    @Test
    void gaps_areTakenInTurn_thenItIsExhausted() {
        RetryPolicy policy = RetryPolicy.gaps(ofSeconds(10), ofMinutes(1), ofHours(1));

        assertThat(delays(policy, 100)).containsExactly(ofSeconds(10), ofMinutes(1), ofHours(1));
        assertThat(policy.maxRetries()).isEqualTo(3);
        assertThat(policy).isEqualTo(RetryPolicy.gaps(List.of(ofSeconds(10), ofMinutes(1), ofHours(1))));
    }

    @Test
    void none_neverRetries() {
        assertThat(delays(RetryPolicy.none(), 10)).isEmpty();
        assertThat(RetryPolicy.defaults().maxRetries(0).delayBefore(1, UNTOUCHED))
                .isEmpty();
    }

    @Test
    void everyPart_canBeStated() {
        RetryPolicy policy = RetryPolicy.defaults()
                .maxRetries(4)
                .delay(ofMillis(100))
                .multiplier(3)
                .maxDelay(ofMillis(500));

        assertThat(delays(policy, 10)).containsExactly(ofMillis(100), ofMillis(300), ofMillis(500), ofMillis(500));
    }

    @Test
    void aDelayBeyondTheMaximum_staysAsItIs() {
        assertThat(delays(RetryPolicy.defaults().delay(ofHours(2)).maxRetries(2), 10))
                .containsExactly(ofHours(2), ofHours(2));
    }

    @Test
    void jitter_isDrawnOnTopOfEachDelay() {
        RetryPolicy policy = RetryPolicy.gaps(ofSeconds(10)).jitter(ofMillis(3));
        Random random = new Random(42);

        assertThat(IntStream.range(0, 200)
                        .mapToObj(i -> policy.delayBefore(1, random).orElseThrow())
                        .distinct()
                        .sorted())
                .containsExactly(ofMillis(10_000), ofMillis(10_001), ofMillis(10_002), ofMillis(10_003));
    }

    @Test
    void withoutTypes_anyFailureIsRetried() {
        assertThat(RetryPolicy.defaults().retries(new IOException())).isTrue();
        assertThat(RetryPolicy.defaults().retries(new AssertionError())).isTrue();
    }

    @Test
    void includes_retriesNothingElse() {
        RetryPolicy policy = RetryPolicy.defaults().includes(IOException.class).includes(ArithmeticException.class);

        assertThat(policy.retries(new FileNotFoundException())).isTrue();
        assertThat(policy.retries(new ArithmeticException())).isTrue();
        assertThat(policy.retries(new IllegalStateException())).isFalse();
    }

    @Test
    void excludes_winOverIncludes() {
        RetryPolicy policy = RetryPolicy.defaults().includes(IOException.class).excludes(FileNotFoundException.class);

        assertThat(policy.retries(new IOException())).isTrue();
        assertThat(policy.retries(new FileNotFoundException())).isFalse();
    }

    @Test
    void causes_countToo() {
        Throwable wrapped = new UncheckedIOException(new FileNotFoundException());

        assertThat(RetryPolicy.defaults().includes(IOException.class).retries(wrapped))
                .isTrue();
        assertThat(RetryPolicy.defaults().excludes(IOException.class).retries(wrapped))
                .isFalse();
    }

    @Test
    void cyclicCauses_areExaminedUpToALimit() {
        Exception first = new IllegalStateException();
        Exception second = new IllegalStateException(first);
        first.initCause(second);

        assertThat(RetryPolicy.defaults().includes(IOException.class).retries(first))
                .isFalse();
    }

    static Stream<Arguments> texts() {
        return Stream.of(
                arguments("none", RetryPolicy.none()),
                arguments("growing:PT10S*2<=PT1H;retries=16", RetryPolicy.defaults()),
                arguments(
                        "growing:PT2H*1.5<=PT1H;retries=0;jitter=PT0.5S",
                        RetryPolicy.defaults()
                                .delay(ofHours(2))
                                .multiplier(1.5)
                                .maxRetries(0)
                                .jitter(ofMillis(500))),
                arguments("gaps:PT10S,PT1M", RetryPolicy.gaps(ofSeconds(10), ofMinutes(1))),
                arguments(
                        "gaps:PT10S;jitter=PT1S",
                        RetryPolicy.gaps(ofSeconds(10)).jitter(ofSeconds(1))));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void text_isReadBack(String text, RetryPolicy policy) {
        assertThat(policy.toText()).isEqualTo(text).isEqualTo(policy.toString());
        assertThat(RetryPolicy.parse(text)).isEqualTo(policy).hasSameHashCodeAs(policy);
    }

    @Test
    void exceptionTypes_areNotPartOfTheText_butOfEquality() {
        RetryPolicy policy = RetryPolicy.defaults().includes(IOException.class).excludes(FileNotFoundException.class);

        assertThat(policy.toText()).isEqualTo(RetryPolicy.defaults().toText());
        assertThat(policy).isNotEqualTo(RetryPolicy.defaults());
        assertThat(policy)
                .hasToString("growing:PT10S*2<=PT1H;retries=16 includes java.io.IOException"
                        + " excludes java.io.FileNotFoundException");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "sometimes                          | 'sometimes' is not a kind of retry policy",
                "gaps:                              | Invalid duration ''",
                "gaps:PT0S                          | Invalid gap 1 (PT0S)",
                "growing:PT10S*2                    | it must have a number of retries",
                "growing:PT10S*2;retries=-1         | Invalid maxRetries (-1): must not be negative",
                "growing:PT10S;retries=1            | 'PT10S' lacks a factor",
                "growing:PT10S*2;retries=1;times=2  | 'times' is not an option",
                "gaps:PT1S;retries=1                | 'retries' is not an option"
            })
    void textThatIsNotAPolicy_isRefusedWithItsWrongPart(String text, String part) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.parse(text))
                .withMessageStartingWith("Invalid retry policy '" + text + "': ")
                .withMessageContaining(part);
    }

    @Test
    void gapsTogetherWithDelay_areRefused() {
        RetryPolicy gaps = RetryPolicy.gaps(ofSeconds(10));

        for (Runnable mix : List.<Runnable>of(
                () -> gaps.delay(ofSeconds(1)),
                () -> gaps.multiplier(2),
                () -> gaps.maxDelay(ofSeconds(1)),
                () -> gaps.maxRetries(3))) {
            assertThatIllegalStateException()
                    .isThrownBy(mix::run)
                    .withMessageContainingAll(
                            "retry policy 'gaps:PT10S'",
                            "already sets the number of retries and every delay",
                            "defaults()");
        }
    }

    @Test
    void badValues_areRefused() {
        RetryPolicy policy = RetryPolicy.defaults();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.maxRetries(-1))
                .withMessageContaining("maxRetries (-1): must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.delay(Duration.ZERO))
                .withMessageContaining("delay (PT0S): must be at least 1 ms");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.multiplier(0.5))
                .withMessageContaining("multiplier (0.5)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.jitter(ofSeconds(-1)))
                .withMessageContaining("jitter (PT-1S)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.gaps(List.of()))
                .withMessageContaining("list of gaps (empty)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.gaps(Collections.nCopies(500, ofSeconds(1))))
                .withMessageContainingAll("2504 characters", "at most 2000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.delayBefore(0, UNTOUCHED))
                .withMessageContaining("retry (0)");
    }

    @Property
    void anyPolicy_isReadBack(@ForAll("policies") RetryPolicy policy) {
        assertThat(RetryPolicy.parse(policy.toText())).isEqualTo(policy);
    }

    @Property
    void delaysNeverShrink_norFallBelowTheStatedDelay(
            @ForAll("grown") RetryPolicy policy, @ForAll @IntRange(min = 1, max = 1_000_000) int retry) {
        RetryPolicy unlimited = policy.maxRetries(Integer.MAX_VALUE);
        Duration first = unlimited.delayBefore(1, UNTOUCHED).orElseThrow();
        Duration delay = unlimited.delayBefore(retry, UNTOUCHED).orElseThrow();

        assertThat(delay)
                .isBetween(first, unlimited.delayBefore(retry + 1, UNTOUCHED).orElseThrow());
    }

    @Provide
    Arbitrary<RetryPolicy> grown() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 1_000),
                        AnySchedule.durations(),
                        Arbitraries.doubles().between(1, 1_000),
                        AnySchedule.durations())
                .as((retries, delay, multiplier, maxDelay) -> RetryPolicy.defaults()
                        .maxRetries(retries)
                        .delay(delay)
                        .multiplier(multiplier)
                        .maxDelay(maxDelay));
    }

    @Provide
    Arbitrary<RetryPolicy> policies() {
        Arbitrary<RetryPolicy> listed =
                AnySchedule.durations().list().ofMinSize(1).ofMaxSize(8).map(RetryPolicy::gaps);
        return Combinators.combine(
                        Arbitraries.oneOf(grown(), listed),
                        AnySchedule.durations().injectNull(0.5))
                .as((policy, jitter) -> jitter == null ? policy : policy.jitter(jitter));
    }
}
