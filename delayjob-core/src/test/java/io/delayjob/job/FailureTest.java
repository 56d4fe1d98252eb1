package io.delayjob.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Supplier;
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
        String pairs = "\uD83D\uDE00".repeat(10_000);
        for (String odd : new String[] {"", "x", "xy", "xyz"}) {
            assertThat(Failure.of("T", odd + pairs).message())
                    .hasSizeLessThanOrEqualTo(1_000)
                    .doesNotContain("\uFFFD")
                    .satisfies(message -> assertThat(Failure.of("T", message).message())
                            .as("a pair that is split would be cleaned")
                            .isEqualTo(message));
        }
        assertThat(Failure.of("t".repeat(500), "").type()).hasSize(200);
    }

    @Test
    void longMessage_keepsItsHeadAndItsEnd() {
        String message = "PreparedStatementCallback; SQL [" + "insert ".repeat(1_000) + "]; ERROR: duplicate key";
        Failure failure = Failure.of("T", message);
        assertThat(failure.message())
                .hasSizeLessThanOrEqualTo(1_000)
                .startsWith("PreparedStatementCallback; SQL [insert")
                .contains(" characters left out …")
                .endsWith("]; ERROR: duplicate key");
    }

    @Test
    void longStackTrace_keepsItsHeadAndItsRootCause() {
        Throwable thrown = deep(200, () -> new IllegalStateException("refused by the gateway"));
        for (int i = 0; i < 5; i++) {
            Throwable cause = thrown;
            int depth = i;
            thrown = deep(100, () -> new IllegalStateException("wrapped " + depth, cause));
        }
        String trace = Failure.of(thrown).stackTrace();
        assertThat(trace)
                .hasSizeBetween(7_000, 8_000)
                .startsWith("java.lang.IllegalStateException: wrapped 4\n\tat ")
                .contains("\nCaused by: java.lang.IllegalStateException: refused by the gateway\n\tat ")
                .containsPattern("\n… [0-9]+ characters left out …\n");
        assertThat(trace.lines())
                .filteredOn(line -> !line.endsWith("left out …"))
                .as("whole lines")
                .allMatch(line -> line.matches("\\s*at .*\\)|.*Exception: .*|\\s*\\.\\.\\. \\d+ more"));
    }

    @Test
    void longMessageOfARootCause_leavesRoomForTheHead() {
        Failure failure = Failure.of(new IllegalStateException("outer", new RuntimeException("x".repeat(20_000))));
        assertThat(failure.stackTrace())
                .hasSizeLessThanOrEqualTo(8_000)
                .startsWith("java.lang.IllegalStateException: outer\n\tat ")
                .contains("\nCaused by: java.lang.RuntimeException: xxx");
    }

    private static Throwable deep(int frames, Supplier<Throwable> thrown) {
        return frames == 0 ? thrown.get() : deep(frames - 1, thrown);
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
    void failureWithoutTexts_holdsNoneOfTheRefusedTexts() {
        assertThat(Failure.of(new RuntimeException("secret")).withoutTexts().toString())
                .doesNotContain("secret", "RuntimeException");
    }
}
