package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.JobState;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The checks of jobs with limits: each violation is found by its own check, and by no other. */
class LimitCheckTest {

    /** A job of kind {@link Kind#MUTEX} with one of these numbers has the same mutex as the other. */
    private static final long ONE = 7;

    private static final long SAME = ONE + 50;

    private static final long RATE_MILLIS = 26;

    /** Jobs of kind {@link Kind#KEY_RATE} whose numbers differ by this number have the same key. */
    private static final int KEYS = 3;

    /** A job of a small tenant that is due at 20 ms is known to its leader before this time. */
    private static final long FOUND_MILLIS = 1_720;

    /** Adds a job that runs on a process from one time until another. */
    private static Story runs(Story story, String worker, long number, Kind kind, long from, long until) {
        return story.committed(number, kind)
                .row(number, JobState.FINISHED)
                .starts(worker, number, 1, 1, from)
                .completes(worker, number, 1, 1, until);
    }

    /** Adds jobs of a kind that all run from one time until another, on two processes. */
    private static Story run(int jobs, Kind kind) {
        Story story = new Story();
        for (int job = 1; job <= jobs; job++) {
            runs(story, job % 2 == 0 ? "a" : "b", job, kind, 1_500, 1_900);
        }
        return story;
    }

    /** Adds jobs of a kind that start one after the other and end at once. */
    private static Story start(int jobs, Kind kind, double everyMillis) {
        Story story = new Story();
        for (int job = 1; job <= jobs; job++) {
            long at = 100 + (long) (job * everyMillis);
            runs(story, "a", job, kind, at, at);
        }
        return story;
    }

    /** Adds jobs with the same key of a rate that start one after the other and end at once. */
    private static Story startOfKey(Story story, int key, int jobs, double everyMillis) {
        for (int job = 1; job <= jobs; job++) {
            long at = 100 + (long) (job * everyMillis);
            runs(story, "a", KEYS * job + key, Kind.KEY_RATE, at, at);
        }
        return story;
    }

    /**
     * A big tenant has ten due jobs. A small tenant has one, which starts when the instance has started some jobs of
     * the big tenant after it must have known the job.
     */
    private static Story tenants(int overtaken) {
        Story story = new Story();
        long small = 5;
        for (int job = 1; job <= 10; job++) {
            long at = FOUND_MILLIS + 200 * job;
            long number = small * job + 1;
            story.committed(number, Kind.FAIR)
                    .row(number, JobState.FINISHED)
                    .starts("a", number, 1, 1, at, 10)
                    .completes("a", number, 1, 1, at + 199);
        }
        long at = FOUND_MILLIS + 200 * overtaken + 199;
        return story.committed(small, Kind.FAIR)
                .row(small, JobState.FINISHED)
                .starts("b", small, 1, 1, at, 20)
                .completes("b", small, 1, 1, at + 200);
    }

    private static Story ledByA(Story story) {
        return story.leads("a", "default-p0", 10, 10_000);
    }

    /** Adds jobs that are due at the beginning and start one after the other. */
    private static Story waitForRate(int jobs, double everyMillis) {
        Story story = new Story();
        for (int job = 1; job <= jobs; job++) {
            long at = 100 + (long) (job * everyMillis);
            story.committed(job, Kind.RATE)
                    .row(job, JobState.FINISHED)
                    .starts("a", job, 1, 1, at, 10)
                    .completes("a", job, 1, 1, at);
        }
        return story;
    }

    /** A job runs, and another job follows it. */
    private static Story follower(long from) {
        return runs(runs(new Story(), "a", 1, Kind.NOTE, 10, 20), "b", 2, Kind.NOTE, from, 30)
                .follows(2, 1);
    }

    /** A job runs, and another job follows all jobs of its transaction. */
    private static Story followerOfGroup(long from) {
        return runs(new Story(), "a", 1, Kind.NOTE, 10, 20)
                .followsAll(2, 1)
                .row(2, JobState.FINISHED)
                .starts("b", 2, 1, 1, from)
                .completes("b", 2, 1, 1, 30);
    }

    static Stream<Named<Story>> whatIsAllowed() {
        return Stream.of(
                Named.of("a job follows another", follower(20)),
                Named.of(
                        "a job waits long for its mutex",
                        runs(new Story(), "a", ONE, Kind.MUTEX, 10, 30_000)
                                .committed(SAME, Kind.MUTEX)
                                .starts("b", SAME, 1, 1, 30_500, 20)),
                Named.of(
                        "a job starts late because of a fault",
                        new Story()
                                .committed(ONE, Kind.MUTEX)
                                .starts("a", ONE, 1, 1, 20_000, 10)
                                .fault(FaultKind.RESTART, "", 11_000, 12_000)),
                Named.of("a job follows a group", followerOfGroup(20)),
                Named.of(
                        "a job follows a cancelled job",
                        new Story()
                                .committed(1, Kind.NOTE)
                                .row(1, JobState.CANCELLED)
                                .followsAll(2, 1)
                                .starts("b", 2, 1, 1, 10)),
                Named.of(
                        "one job of a mutex after the other, on two processes",
                        runs(runs(new Story(), "a", ONE, Kind.MUTEX, 10, 20), "b", SAME, Kind.MUTEX, 20, 30)),
                Named.of(
                        "jobs of two mutexes at once",
                        runs(runs(new Story(), "a", ONE, Kind.MUTEX, 10, 20), "b", ONE + 1, Kind.MUTEX, 11, 30)),
                Named.of(
                        "a process is paused for longer than its liveness while its job runs",
                        runs(
                                new Story()
                                        .committed(ONE, Kind.MUTEX)
                                        .starts("a", ONE, 1, 1, 10)
                                        .fault(FaultKind.PAUSE, "a", 20, 2_000)
                                        .fenced("a", ONE, 1, 1, 2_010),
                                "b",
                                SAME,
                                Kind.MUTEX,
                                1_600,
                                3_000)),
                Named.of(
                        "a job starts right after such a pause, although it was claimed before",
                        runs(
                                runs(new Story(), "b", SAME, Kind.MUTEX, 1_600, 3_000)
                                        .fault(FaultKind.PAUSE, "a", 20, 2_000),
                                "a",
                                ONE,
                                Kind.MUTEX,
                                2_010,
                                2_020)),
                Named.of(
                        "the process of the first job is killed",
                        runs(
                                new Story()
                                        .committed(ONE, Kind.MUTEX)
                                        .starts("a", ONE, 1, 1, 10)
                                        .fault(FaultKind.KILL, "a", 20, 21),
                                "b",
                                SAME,
                                Kind.MUTEX,
                                1_600,
                                3_000)),
                Named.of("as many jobs as the limit allows", run(10, Kind.LIMIT)),
                Named.of("as many jobs as the low limit allows", run(3, Kind.LOW_LIMIT)),
                Named.of(
                        "one more job than the limit allows, beside one that was given up",
                        runs(
                                run(9, Kind.LIMIT)
                                        .committed(20, Kind.LIMIT)
                                        .starts("c", 20, 1, 1, 10)
                                        .fault(FaultKind.STALL_REQUESTS, "c", 11, 2_000)
                                        .fenced("c", 20, 1, 1, 2_010),
                                "a",
                                21,
                                Kind.LIMIT,
                                1_500,
                                1_600)),
                Named.of("burst, rate, and one start for the process, in a second", start(45, Kind.RATE, 10)),
                Named.of("the rate of a queue and its burst, in a second", start(30, Kind.QUEUE_RATE, 10)),
                Named.of("burst, rate, and two starts of a key, in a second", startOfKey(new Story(), 0, 14, 10)),
                Named.of(
                        "the same number of starts of two keys",
                        startOfKey(startOfKey(new Story(), 0, 14, 10), 1, 14, 10)),
                Named.of("a small tenant waits for two jobs of the big tenant", ledByA(tenants(2))),
                Named.of(
                        "a small tenant waits for long, because its partition had no leader at first",
                        tenants(5).leads("a", "default-p0", 21, 10_000)),
                Named.of(
                        "a small tenant waits for long, because the leader was silent",
                        ledByA(tenants(5)).fault(FaultKind.STRAND, "a", 100, 2_000)),
                Named.of("a minute at the rate", start(4_000, Kind.RATE, RATE_MILLIS)),
                Named.of("a minute with a backlog, in which the rate is used", waitForRate(5_000, RATE_MILLIS)),
                Named.of("too few starts, because no more jobs are due", start(3_500, Kind.RATE, 28)),
                Named.of(
                        "too few starts, because of a fault",
                        waitForRate(3_500, 28).fault(FaultKind.TERMINATE, "a", 50_000, 50_001)));
    }

    static Stream<Arguments> whatIsNot() {
        return Stream.of(
                violation(
                        "two jobs of a mutex at once",
                        runs(runs(new Story(), "a", ONE, Kind.MUTEX, 10, 20), "b", SAME, Kind.MUTEX, 19, 30),
                        LimitCheck.MUTEX_HELD_ONCE),
                violation(
                        "two jobs of a mutex at once, of two handlers",
                        runs(runs(new Story(), "a", 50, Kind.MUTEX, 10, 20), "b", 51, Kind.HOT_MUTEX, 19, 30),
                        LimitCheck.MUTEX_HELD_ONCE),
                violation(
                        "the same, on one process",
                        runs(runs(new Story(), "a", ONE, Kind.MUTEX, 10, 20), "a", SAME, Kind.MUTEX, 19, 30),
                        LimitCheck.MUTEX_HELD_ONCE),
                violation(
                        "two jobs of a mutex at once, and a pause that is too short",
                        runs(
                                runs(new Story(), "a", ONE, Kind.MUTEX, 10, 3_000)
                                        .fault(FaultKind.HALT, "a", 20, 720),
                                "b",
                                SAME,
                                Kind.MUTEX,
                                800,
                                900),
                        LimitCheck.MUTEX_HELD_ONCE),
                violation(
                        "the second job starts when the pause of the first has not lasted long",
                        runs(
                                runs(new Story(), "a", ONE, Kind.MUTEX, 10, 3_000)
                                        .fault(FaultKind.PAUSE, "a", 20, 2_500),
                                "b",
                                SAME,
                                Kind.MUTEX,
                                1_000,
                                1_100),
                        LimitCheck.MUTEX_HELD_ONCE),
                violation(
                        "the first job starts long after the pause",
                        runs(
                                runs(new Story(), "a", ONE, Kind.MUTEX, 3_000, 3_100)
                                        .fault(FaultKind.PAUSE, "a", 20, 2_000),
                                "b",
                                SAME,
                                Kind.MUTEX,
                                3_050,
                                3_200),
                        LimitCheck.MUTEX_HELD_ONCE),
                violation(
                        "the process of the first job is killed after the second has started",
                        runs(
                                new Story()
                                        .committed(ONE, Kind.MUTEX)
                                        .starts("a", ONE, 1, 1, 10)
                                        .fault(FaultKind.KILL, "a", 2_000, 2_001),
                                "b",
                                SAME,
                                Kind.MUTEX,
                                1_600,
                                3_000),
                        LimitCheck.MUTEX_HELD_ONCE),
                violation("more jobs than the limit allows", run(11, Kind.LIMIT), LimitCheck.CLUSTER_LIMIT_HELD),
                violation("more jobs than the low limit allows", run(4, Kind.LOW_LIMIT), LimitCheck.CLUSTER_LIMIT_HELD),
                violation("too many starts in a second", start(46, Kind.RATE, 10), LimitCheck.RATE_NOT_EXCEEDED),
                violation(
                        "too many starts in a second, by the rate of the queue",
                        start(31, Kind.QUEUE_RATE, 10),
                        LimitCheck.RATE_NOT_EXCEEDED),
                violation(
                        "too many starts of a key in a second",
                        startOfKey(new Story(), 0, 15, 10),
                        LimitCheck.RATE_NOT_EXCEEDED),
                violation(
                        "a small tenant waits for three jobs of the big tenant",
                        ledByA(tenants(3)),
                        LimitCheck.TENANTS_TAKE_TURNS),
                violation(
                        "a small tenant waits, although only another instance was silent",
                        ledByA(tenants(3)).fault(FaultKind.STRAND, "b", 100, 2_000),
                        LimitCheck.TENANTS_TAKE_TURNS),
                violation("too many starts in a minute", start(4_000, Kind.RATE, 24), LimitCheck.RATE_NOT_EXCEEDED),
                violation("too few starts in a minute with a backlog", waitForRate(5_000, 28), LimitCheck.RATE_USED),
                violation(
                        "a job with a mutex starts late, although its mutex is free",
                        runs(new Story(), "a", ONE, Kind.MUTEX, 10, 300)
                                .committed(SAME, Kind.MUTEX)
                                .starts("b", SAME, 1, 1, 10_301, 20),
                        LimitCheck.NOTHING_STUCK),
                violation(
                        "a job with a rate starts late, although no other has started",
                        new Story().committed(1, Kind.RATE).starts("a", 1, 1, 1, 10_100, 10),
                        LimitCheck.NOTHING_STUCK),
                violation(
                        "a job without limits starts late",
                        new Story().committed(1, Kind.NOTE).starts("a", 1, 1, 1, 10_100, 10),
                        LimitCheck.NOTHING_STUCK),
                violation(
                        "a job starts before the end of the job that it follows",
                        follower(19),
                        LimitCheck.FOLLOWS_THE_END),
                violation(
                        "a job starts before the end of the group that it follows",
                        followerOfGroup(19),
                        LimitCheck.FOLLOWS_THE_END),
                violation(
                        "a job starts although a job of the group that it follows has not ended",
                        new Story()
                                .committed(1, Kind.NOTE)
                                .row(1, JobState.DELAYED)
                                .followsAll(2, 1)
                                .starts("b", 2, 1, 1, 10),
                        LimitCheck.FOLLOWS_THE_END));
    }

    private static Arguments violation(String what, Story story, LimitCheck check) {
        return Arguments.of(Named.of(what, story), check);
    }

    @ParameterizedTest
    @MethodSource("whatIsAllowed")
    void allowedStory_violatesNothing(Story story) {
        assertThat(LimitCheck.violationsIn(story.account())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("whatIsNot")
    void forbiddenStory_isFoundByItsCheckOnly(Story story, LimitCheck check) {
        assertThat(LimitCheck.violationsIn(story.account())).containsOnlyKeys(check);
    }
}
