package io.delayjob.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureTest {

    @Test
    void textsThatDatabasesRefuseAreCleaned() {
        Failure failure = new Failure("T\0", "a\0b\uD800c", null);
        assertThat(failure.type()).isEqualTo("T\uFFFD");
        assertThat(failure.message()).isEqualTo("a\uFFFDb\uFFFDc");
    }

    @Test
    void longTextsAreCutAndNoPairIsSplit() {
        Failure failure = Failure.of("T", "x".repeat(999) + "\uD83D\uDE00" + "y".repeat(10_000));
        assertThat(failure.message()).isEqualTo("x".repeat(999));
        assertThat(Failure.of("t".repeat(500), "").type()).hasSize(200);
    }

    @Test
    void exceptionThatCannotDescribeItselfIsStillAFailure() {
        Failure failure = Failure.of(new RuntimeException() {
            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
                throw new IllegalStateException();
            }
        });
        assertThat(failure.type()).startsWith(getClass().getName());
        assertThat(failure.message()).isEqualTo("(the exception cannot describe itself)");
    }

    @Test
    void failureWithoutTextsHoldsNothingOfWhatWasRefused() {
        assertThat(Failure.of(new RuntimeException("secret")).withoutTexts().toString())
                .doesNotContain("secret", "RuntimeException");
    }
}
