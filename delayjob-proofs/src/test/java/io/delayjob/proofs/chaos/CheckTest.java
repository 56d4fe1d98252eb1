package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.JobState;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The checks themselves: each finds what it is there for, nothing else finds it, and none cries over what is allowed.
 */
class CheckTest {

    private static Story note() {
        return new Story().committed(1, Kind.NOTE);
    }

    private static Story finished() {
        return note().row(1, JobState.FINISHED);
    }

    private static Story atomic() {
        return new Story().committed(1, Kind.ATOMIC).row(1, JobState.FINISHED);
    }

    static Stream<Named<Story>> whatIsAllowed() {
        return Stream.of(
                Named.of("ran once", finished().starts("a", 1, 1, 1, 10).completes("a", 1, 1, 1, 11)),
                Named.of("rolled back", new Story().scheduled(1, Kind.NOTE).heard(Event.ROLLED_BACK, 1)),
                Named.of(
                        "its client never heard, but it was committed",
                        new Story()
                                .scheduled(1, Kind.NOTE)
                                .heard(Event.UNKNOWN, 1)
                                .committedUnheard(1)
                                .row(1, JobState.FINISHED)
                                .starts("a", 1, 1, 1, 10)
                                .completes("a", 1, 1, 1, 11)),
                Named.of(
                        "its client never heard, and it was not",
                        new Story().scheduled(1, Kind.NOTE).heard(Event.UNKNOWN, 1)),
                Named.of(
                        "the call that scheduled it did not return, but it is there",
                        new Story()
                                .submittedAlone(1, Kind.NOTE)
                                .rowWithKey(1, JobState.FINISHED)
                                .starts("a", 1, 1, 1, 10)
                                .completes("a", 1, 1, 1, 11)),
                Named.of("the call that scheduled it did not return", new Story().submittedAlone(1, Kind.NOTE)),
                Named.of(
                        "cancelled while it waited",
                        note().row(1, JobState.CANCELLED).cancels(1, 10, 11, "CANCELLED")),
                Named.of(
                        "cancelled while it ran",
                        finished()
                                .starts("b", 1, 1, 1, 10)
                                .cancels(1, 11, 12, "RUNNING")
                                .completes("b", 1, 1, 1, 13)),
                Named.of(
                        "cancelled when it was claimed, and not yet started",
                        finished()
                                .cancels(1, 11, 12, "RUNNING")
                                .starts("b", 1, 1, 1, 13)
                                .completes("b", 1, 1, 1, 14)),
                Named.of(
                        "thrown, and tried again",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .throwsUp("a", 1, 1, 1, 11)
                                .starts("b", 1, 1, 2, 12)
                                .completes("b", 1, 1, 2, 13)),
                Named.of(
                        "killed while it ran, and repeated",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .fault(FaultKind.KILL, "a", 20, 21)
                                .starts("b", 1, 1, 2, 1_600)
                                .completes("b", 1, 1, 2, 1_601)),
                Named.of(
                        "paused while it ran, repeated meanwhile, and refused",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .fault(FaultKind.PAUSE, "a", 20, 2_100)
                                .starts("b", 1, 1, 2, 1_700)
                                .completes("b", 1, 1, 2, 2_500)
                                .fenced("a", 1, 1, 1, 2_110)),
                Named.of(
                        "paused between its claim and its start, and refused",
                        finished()
                                .fault(FaultKind.PAUSE, "a", 20, 2_100)
                                .starts("b", 1, 1, 2, 1_700)
                                .completes("b", 1, 1, 2, 1_701)
                                .starts("a", 1, 1, 1, 2_101)
                                .fenced("a", 1, 1, 1, 2_102)),
                Named.of(
                        "not run by the machine while it ran, and repeated meanwhile",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .hiccup("a", 20, 2_100)
                                .starts("b", 1, 1, 2, 1_700)
                                .completes("b", 1, 1, 2, 2_500)
                                .fenced("a", 1, 1, 1, 2_110)),
                Named.of(
                        "not answered by the database for a liveness, and repeated meanwhile",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .silence("a", 20, 1_300)
                                .starts("b", 1, 1, 2, 1_290)
                                .completes("b", 1, 1, 2, 2_500)
                                .fenced("a", 1, 1, 1, 1_310)),
                Named.of(
                        "stopped while the database was away, and repeated by another process",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .ends("a", 1, 1, 1, 11)
                                .stops("a", 20)
                                .fault(FaultKind.RESTART, "", 12, 900)
                                .starts("b", 1, 1, 2, 2_000)
                                .completes("b", 1, 1, 2, 2_001)),
                Named.of(
                        "a sequence",
                        new Story()
                                .committed(1, Kind.SEQUENCE)
                                .row(1, JobState.FINISHED)
                                .starts("a", 1, 1, 1, 10)
                                .completes("a", 1, 1, 1, 11)
                                .starts("b", 1, 2, 2, 20)
                                .completes("b", 1, 2, 2, 21)
                                .starts("a", 1, 3, 3, 30)
                                .completes("a", 1, 3, 3, 31)),
                Named.of(
                        "put off, and started at its new time",
                        finished()
                                .reschedules(1, 10, 11, 500, "CHANGED")
                                .starts("a", 1, 1, 1, 500)
                                .completes("a", 1, 1, 1, 501)),
                Named.of(
                        "an effect together with its end",
                        atomic().starts("a", 1, 1, 1, 10)
                                .completes("a", 1, 1, 1, 11)
                                .effect(1, 1)),
                Named.of(
                        "a transaction that could not be committed, and was tried again",
                        atomic().starts("a", 1, 1, 1, 10)
                                .failsToCommit("a", 1, 1, 1, 11)
                                .starts("b", 1, 1, 2, 20)
                                .completes("b", 1, 1, 2, 21)
                                .effect(1, 2)),
                Named.of(
                        "leadership that changes",
                        new Story().leads("a", "default-p1", 0, 1_000).leads("b", "default-p1", 1_100, 2_000)),
                Named.of(
                        "a leader that was paused for longer than its lease",
                        new Story()
                                .leads("a", "default-p1", 0, 4_010)
                                .fault(FaultKind.PAUSE, "a", 1_000, 4_000)
                                .leads("b", "default-p1", 2_600, 9_000)));
    }

    @ParameterizedTest
    @MethodSource("whatIsAllowed")
    void whatIsAllowed_violatesNothing(Story story) {
        assertThat(Check.violationsIn(story.account())).isEmpty();
    }

    private static Arguments violation(String name, Story story, Check... checks) {
        return Arguments.of(Named.of(name, story), Set.of(checks));
    }

    static Stream<Arguments> violations() {
        return Stream.of(
                violation("never ran, and is nowhere", note(), Check.NOTHING_LOST),
                violation("still waits at the end", note().row(1, JobState.DELAYED), Check.NOTHING_LOST),
                violation("is held by nobody at the end", note().row(1, JobState.RUNNING), Check.NOTHING_LOST),
                violation("gave up", note().row(1, JobState.FAILED), Check.NOTHING_LOST),
                violation(
                        "is said to have finished, but nobody started it",
                        finished(),
                        Check.NOTHING_LOST,
                        Check.EACH_RUN_ENDS_ONCE),
                violation("was cancelled by nobody", note().row(1, JobState.CANCELLED), Check.NOTHING_LOST),
                violation(
                        "an acknowledged transaction is gone",
                        new Story().scheduled(1, Kind.NOTE).heard(Event.COMMITTED, 1),
                        Check.NOTHING_LOST),
                violation(
                        "rolled back, and ran",
                        new Story()
                                .scheduled(1, Kind.NOTE)
                                .heard(Event.ROLLED_BACK, 1)
                                .starts("a", 1, 1, 1, 10)
                                .ends("a", 1, 1, 1, 11),
                        Check.NOTHING_FROM_NOWHERE),
                violation(
                        "not committed, which its client never heard, and ran",
                        new Story()
                                .scheduled(1, Kind.NOTE)
                                .heard(Event.UNKNOWN, 1)
                                .starts("a", 1, 1, 1, 10),
                        Check.NOTHING_FROM_NOWHERE),
                violation(
                        "rolled back, and left a row",
                        new Story()
                                .scheduled(1, Kind.NOTE)
                                .heard(Event.ROLLED_BACK, 1)
                                .row(1, JobState.DELAYED),
                        Check.NOTHING_FROM_NOWHERE),
                violation(
                        "a row that nobody scheduled",
                        new Story().row(1, JobState.FINISHED),
                        Check.NOTHING_FROM_NOWHERE),
                violation(
                        "started after it was cancelled",
                        note().row(1, JobState.CANCELLED)
                                .cancels(1, 10, 11, "CANCELLED")
                                .starts("b", 1, 1, 1, 12)
                                .ends("b", 1, 1, 1, 13),
                        Check.NO_START_AFTER_CANCEL),
                violation(
                        "started after it was cancelled with a lost attempt in flight",
                        note().row(1, JobState.CANCELLED)
                                .cancels(1, 10, 11, "CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT")
                                .starts("b", 1, 1, 2, 12)
                                .ends("b", 1, 1, 2, 13),
                        Check.NO_START_AFTER_CANCEL),
                violation(
                        "two attempts after it was cancelled while it ran",
                        finished()
                                .cancels(1, 10, 11, "RUNNING")
                                .starts("b", 1, 1, 1, 12)
                                .throwsUp("b", 1, 1, 1, 13)
                                .starts("b", 1, 1, 2, 14)
                                .completes("b", 1, 1, 2, 15),
                        Check.NO_START_AFTER_CANCEL),
                violation(
                        "said to be cancelled while it ran",
                        finished()
                                .starts("b", 1, 1, 1, 10)
                                .cancels(1, 11, 12, "CANCELLED")
                                .completes("b", 1, 1, 1, 13),
                        Check.NO_ATTEMPT_HIDDEN_BY_CANCEL),
                violation(
                        "an attempt started by two",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .starts("b", 1, 1, 1, 12)
                                .ends("a", 1, 1, 1, 11)
                                .completes("b", 1, 1, 1, 13),
                        Check.NO_ATTEMPT_TWICE,
                        Check.NO_REPETITION_WITHOUT_FAULT),
                violation(
                        "the end of a stale attempt was taken",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .fault(FaultKind.PAUSE, "a", 20, 2_100)
                                .starts("b", 1, 1, 2, 1_700)
                                .completes("a", 1, 1, 1, 2_110)
                                .fenced("b", 1, 1, 2, 2_500),
                        Check.NO_STALE_COMPLETION),
                violation(
                        "the failure of a stale attempt was taken",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .fault(FaultKind.PAUSE, "a", 20, 2_100)
                                .starts("b", 1, 1, 2, 1_700)
                                .throwsUp("a", 1, 1, 1, 2_110)
                                .completes("b", 1, 1, 2, 2_500),
                        Check.NO_STALE_COMPLETION),
                violation(
                        "one run of a sequence ended twice",
                        new Story()
                                .committed(1, Kind.NOTE)
                                .row(1, JobState.FINISHED)
                                .starts("a", 1, 1, 1, 10)
                                .completes("a", 1, 1, 1, 11)
                                .completes("a", 1, 1, 1, 12),
                        Check.EACH_RUN_ENDS_ONCE),
                violation(
                        "a run too many",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .completes("a", 1, 1, 1, 11)
                                .starts("a", 1, 2, 2, 20)
                                .completes("a", 1, 2, 2, 21),
                        Check.EACH_RUN_ENDS_ONCE),
                violation(
                        "a run of a sequence was left out",
                        new Story()
                                .committed(1, Kind.SEQUENCE)
                                .row(1, JobState.FINISHED)
                                .starts("a", 1, 1, 1, 10)
                                .completes("a", 1, 1, 1, 11)
                                .starts("a", 1, 3, 2, 30)
                                .completes("a", 1, 3, 2, 31),
                        Check.NOTHING_LOST,
                        Check.EACH_RUN_ENDS_ONCE),
                violation(
                        "an effect that came twice",
                        atomic().starts("a", 1, 1, 1, 10)
                                .fault(FaultKind.KILL, "a", 20, 21)
                                .starts("b", 1, 1, 2, 1_600)
                                .completes("b", 1, 1, 2, 1_601)
                                .effect(1, 1)
                                .effect(1, 2),
                        Check.EFFECT_WITH_ITS_END),
                violation(
                        "an effect of another attempt than the one that ended",
                        atomic().starts("a", 1, 1, 1, 10)
                                .failsToCommit("a", 1, 1, 1, 11)
                                .starts("b", 1, 1, 2, 20)
                                .completes("b", 1, 1, 2, 21)
                                .effect(1, 1),
                        Check.EFFECT_WITH_ITS_END),
                violation(
                        "an end without its effect",
                        atomic().starts("a", 1, 1, 1, 10).completes("a", 1, 1, 1, 11),
                        Check.EFFECT_WITH_ITS_END),
                violation(
                        "repeated for no reason",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .ends("a", 1, 1, 1, 11)
                                .starts("b", 1, 1, 2, 20)
                                .completes("b", 1, 1, 2, 21),
                        Check.NO_REPETITION_WITHOUT_FAULT),
                violation(
                        "repeated because of a fault of another process",
                        finished()
                                .fault(FaultKind.KILL, "b", 12, 13)
                                .starts("a", 1, 1, 1, 10)
                                .ends("a", 1, 1, 1, 11)
                                .starts("b", 1, 1, 2, 20)
                                .completes("b", 1, 1, 2, 21),
                        Check.NO_REPETITION_WITHOUT_FAULT),
                violation(
                        "repeated because the pool was exhausted, the database restarted, or the process told to stop",
                        finished()
                                .fault(FaultKind.EXHAUST_POOL, "a", 5, 18)
                                .fault(FaultKind.RESTART, "", 5, 18)
                                .fault(FaultKind.TERMINATE, "a", 5, 18)
                                .starts("a", 1, 1, 1, 10)
                                .ends("a", 1, 1, 1, 11)
                                .starts("b", 1, 1, 2, 20)
                                .completes("b", 1, 1, 2, 21),
                        Check.NO_REPETITION_WITHOUT_FAULT),
                violation(
                        "stopped in good order, and repeated by another process",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .ends("a", 1, 1, 1, 11)
                                .stops("a", 20)
                                .starts("b", 1, 1, 2, 2_000)
                                .completes("b", 1, 1, 2, 2_001),
                        Check.NO_REPETITION_WITHOUT_FAULT),
                violation(
                        "repeated after a silence that was too short",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .silence("a", 11, 1_100)
                                .ends("a", 1, 1, 1, 11)
                                .starts("b", 1, 1, 2, 1_110)
                                .completes("b", 1, 1, 2, 1_111),
                        Check.NO_REPETITION_WITHOUT_FAULT),
                violation(
                        "two attempts at once, after a stall that was too short",
                        finished()
                                .starts("a", 1, 1, 1, 10)
                                .fault(FaultKind.STALL_ANSWERS, "a", 20, 120)
                                .starts("b", 1, 1, 2, 130)
                                .fenced("a", 1, 1, 1, 200)
                                .completes("b", 1, 1, 2, 210),
                        Check.NO_OVERLAP_WITHOUT_SILENCE),
                violation(
                        "started before its time",
                        finished().starts("a", 1, 1, 1, 10, 11).completes("a", 1, 1, 1, 12),
                        Check.NEVER_EARLY),
                violation(
                        "started at the time before it was put off",
                        finished()
                                .reschedules(1, 10, 11, 500, "CHANGED")
                                .starts("a", 1, 1, 1, 100)
                                .completes("a", 1, 1, 1, 101),
                        Check.NEVER_EARLY),
                violation(
                        "two leaders of a partition",
                        new Story().leads("a", "default-p1", 0, 5_000).leads("b", "default-p1", 1_000, 5_000),
                        Check.ONE_LEADER),
                violation(
                        "two leaders, the first of which falls silent afterwards",
                        new Story()
                                .leads("a", "default-p1", 0, 5_000)
                                .leads("b", "default-p1", 1_000, 5_000)
                                .fault(FaultKind.PAUSE, "a", 2_000, 6_000),
                        Check.ONE_LEADER),
                violation(
                        "a leader that goes on after its pause",
                        new Story()
                                .leads("a", "default-p1", 0, 9_000)
                                .fault(FaultKind.PAUSE, "a", 1_000, 4_000)
                                .leads("b", "default-p1", 2_600, 9_000),
                        Check.ONE_LEADER));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void aViolation_isFoundByTheCheckForIt(Story story, Set<Check> checks) {
        assertThat(Check.violationsIn(story.account())).containsOnlyKeys(checks);
    }
}
