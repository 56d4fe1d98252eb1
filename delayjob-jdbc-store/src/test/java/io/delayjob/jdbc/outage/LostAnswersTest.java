package io.delayjob.jdbc.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.jdbc.TestFault;
import io.delayjob.jdbc.TestProxy.Effect;
import io.delayjob.job.CancelResult;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.HistorySettings;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A commit is done, or on its way, or lost, when its connection breaks: whichever it is, each job that was written
 * runs, and runs once. History is off, so that nothing but the protocol can tell what has happened.
 */
@Timeout(180)
class LostAnswersTest {

    private static final String NEW_JOB = "INSERT INTO delayjob_job";
    private static final String CLAIM = "SET state = 1, owner = ";
    private static final String END = "DELETE FROM delayjob_job";

    private Scene scene;

    @BeforeEach
    void start() throws InterruptedException {
        scene = Scene.scene().settings(LostAnswersTest::withoutHistory).start();
        scene.awaitHealth();
    }

    private static EngineSettings.Builder withoutHistory(EngineSettings.Builder settings) {
        return settings.history(
                new HistorySettings(Duration.ZERO, Duration.ofDays(1), Duration.ofDays(1), Duration.ZERO));
    }

    @AfterEach
    void close() {
        scene.close();
    }

    private Scheduled schedule(Duration delay) {
        return scene.engine.jobs().schedule("note").with(List.of(0L)).after(delay);
    }

    private int unfinished() {
        return scene.database.queryForObject("SELECT count(*) FROM delayjob_job", Integer.class);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HOLD_ANSWER")
    void claimRunsItsJobOnce(Effect effect) throws InterruptedException {
        TestFault fault = scene.proxy.atCommit(CLAIM, effect);
        schedule(Duration.ZERO);
        assertThat(fault.await(Runs.PATIENCE)).isTrue();
        fault.release();

        scene.runs().assertEachOf(1, 0);
        assertThat(unfinished()).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HOLD_ANSWER")
    void endOfAnAttemptIsWrittenOnce(Effect effect) throws InterruptedException {
        TestFault fault = scene.proxy.atCommit(END, effect);
        schedule(Duration.ZERO);
        assertThat(fault.await(Runs.PATIENCE)).isTrue();
        fault.release();

        scene.runs().assertEachOf(1, 0);
        assertThat(unfinished()).isZero();
        assertThat(scene.runs().fencedCount())
                .as("taken for the end of a lost attempt")
                .isZero();
    }

    @Test
    void newJobThatIsFoundIsReportedAsWritten() throws InterruptedException {
        scene.proxy.atCommit(NEW_JOB, Effect.LOSE_ANSWER);
        assertThat(schedule(Duration.ofSeconds(1)).outcome()).isEqualTo(Scheduled.Outcome.CREATED);
        scene.runs().assertEachOf(1, 0);
    }

    /** Its commit arrives when its caller has been told that nobody knows: it runs once, and not twice. */
    @Test
    void newJobThatIsOnItsWayIsNotWrittenAgain() throws InterruptedException {
        TestFault fault = scene.proxy.atCommit(NEW_JOB, Effect.DELAY_REQUEST);
        assertUnknown();
        assertThat(unfinished()).isZero();
        fault.release();
        assertThat(fault.awaitAnswer(Runs.PATIENCE)).isTrue();
        scene.runs().assertEachOf(1, 0);
        assertThat(unfinished()).isZero();
    }

    @Test
    void newJobThatIsLostIsReportedAsUnknown() {
        scene.proxy.atCommit(NEW_JOB, Effect.LOSE_REQUEST);
        assertUnknown();
        assertThat(unfinished()).isZero();
    }

    private void assertUnknown() {
        assertThatThrownBy(() -> schedule(Duration.ZERO))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("unknown");
    }

    @Test
    void cancellationIsFoundDoneWhenItIsRepeated() {
        JobId job = schedule(Duration.ofHours(1)).id();
        scene.proxy.atCommit(END, Effect.LOSE_ANSWER);
        assertThatThrownBy(() -> scene.engine.jobs().cancel(job))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        error -> assertThat(error.isTransient()).isTrue());
        assertThat(scene.engine.jobs().cancel(job)).isEqualTo(CancelResult.CANCELLED);
        assertThat(scene.engine.jobs().find(job).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
    }
}
