package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.JobState;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The checks of awaiting jobs: each violation is found by its own check, and by no other. */
class AnswerCheckTest {

    private static Story finished() {
        return new Story()
                .committed(1, Kind.AWAIT)
                .row(1, JobState.FINISHED)
                .starts("a", 1, 1, 1, 10)
                .completes("a", 1, 1, 1, 20);
    }

    private static Story cancelled() {
        return new Story()
                .committed(1, Kind.AWAIT)
                .row(1, JobState.CANCELLED)
                .starts("a", 1, 1, 1, 10)
                .ends("a", 1, 1, 1, 11)
                .cancels(1, 20, 21, "CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT");
    }

    /** Its first run is ended by an answer, and the job is cancelled before its second run. */
    private static Story cancelledBetweenRuns() {
        return new Story()
                .committed(1, Kind.AWAIT_SEQUENCE)
                .row(1, JobState.CANCELLED)
                .starts("a", 1, 1, 1, 10)
                .ends("a", 1, 1, 1, 11)
                .answers(1, 15, 16, AnswerResult.TAKEN)
                .endIsTaken(1, 1, 1)
                .works(1, 1)
                .cancels(1, 20, 21, "CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT")
                .answers(1, 30, 31, AnswerResult.CANCELLED);
    }

    static Stream<Named<Story>> whatIsAllowed() {
        return Stream.of(
                Named.of(
                        "answered twice, and taken once",
                        finished()
                                .answers(1, 15, 16, AnswerResult.TAKEN)
                                .answers(1, 17, 18, AnswerResult.NOT_AWAITED)
                                .works(1, 1)),
                Named.of("cancelled, and told so", cancelled().answers(1, 30, 31, AnswerResult.CANCELLED)),
                Named.of("cancelled before any call", cancelled()),
                Named.of(
                        "asked before it was cancelled",
                        cancelled()
                                .answers(1, 19, 31, AnswerResult.NOT_AWAITED)
                                .answers(1, 32, 33, AnswerResult.CANCELLED)),
                Named.of(
                        "cancelled when the run was answered and its next attempt was claimed, and not yet started",
                        cancelledBetweenRuns().starts("b", 1, 1, 2, 22)));
    }

    static Stream<Arguments> whatIsNot() {
        return Stream.of(
                Arguments.of(
                        "EACH_RUN_ACCEPTED_ONCE",
                        finished()
                                .answers(1, 15, 16, AnswerResult.TAKEN)
                                .answers(1, 17, 18, AnswerResult.TAKEN)
                                .works(1, 1)
                                .works(1, 1)),
                Arguments.of("EACH_RUN_ACCEPTED_ONCE", finished().answers(1, 15, 16, AnswerResult.TAKEN)),
                Arguments.of(
                        "CANCELLED_JOBS_ARE_TOLD",
                        cancelled()
                                .answers(1, 30, 31, AnswerResult.NOT_AWAITED)
                                .answers(1, 32, 33, AnswerResult.CANCELLED)),
                Arguments.of("CANCELLED_JOBS_ARE_TOLD", cancelled().answers(1, 19, 22, AnswerResult.NOT_AWAITED)),
                Arguments.of(
                        "NO_START_AFTER_CANCEL",
                        cancelled().answers(1, 30, 31, AnswerResult.CANCELLED).starts("b", 1, 1, 2, 22)),
                Arguments.of("NO_START_AFTER_CANCEL", cancelledBetweenRuns().starts("b", 1, 2, 2, 22)),
                Arguments.of(
                        "NO_START_AFTER_CANCEL",
                        cancelledBetweenRuns().starts("b", 1, 1, 2, 22).starts("b", 1, 1, 3, 23)));
    }

    @ParameterizedTest
    @MethodSource("whatIsAllowed")
    void allowedStory_violatesNothing(Story story) {
        assertThat(AnswerCheck.violationsIn(story.answersAccount())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("whatIsNot")
    void forbiddenStory_isFoundByItsCheckOnly(String check, Story story) {
        assertThat(AnswerCheck.violationsIn(story.answersAccount())).containsOnlyKeys(check);
    }
}
