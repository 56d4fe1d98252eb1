package io.delayjob;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.Shop.CartCleanup;
import io.delayjob.Shop.UnpaidOrders;
import io.delayjob.handler.Handler;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.Printable;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that names and keys cannot contain line breaks or other control characters. These could forge lines of a log,
 * or turn one stored line into two.
 */
class ControlCharactersTest {

    private final Desk desk = new Desk();
    private final DelayJobOperations jobs = desk.jobs;

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\t", "\u001B", "\u007F", "\u0085", "\u009B", "\u2028", "\u2029"})
    void controlCharacters_areRefusedAtTheDeclarationAndTheCall(String odd) {
        String name = "a" + odd + "b";
        String told = "'a\\u%04X".formatted((int) odd.charAt(0)) + "b'";
        String rule = "must not contain the control character U+%04X (at index 1)".formatted((int) odd.charAt(0));
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> Handler.named(name).calls((arguments, job) -> null),
                () -> Handler.named("x").formerNames(Set.of(name)).calls((arguments, job) -> null),
                () -> jobs.schedule(name),
                () -> jobs.schedule(CartCleanup::purge).key(name),
                () -> jobs.schedule("elsewhere").key(name),
                () -> jobs.schedule(UnpaidOrders::cancel).withEach(List.of(1L)).key(id -> name))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(call)
                    .withMessageContaining(told)
                    .withMessageContaining(rule)
                    .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain(odd));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.schedule(CartCleanup::purge).queue(name))
                .withMessageContaining("Invalid queue " + told);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PayloadParameter(name, long.class))
                .withMessageContaining(told);
    }

    @Test
    void otherCharacters_ofAnyLanguage_areFine() {
        String name = "Rechnung für ‏עברית‏ 👩‍👩‍👧 zahlen";
        Job job = desk.job(jobs.schedule(name).key(name).now());

        assertThat(job.name()).isEqualTo(name);
        assertThat(Printable.of(name)).isSameAs(name);
        assertThat(Printable.of(List.of("b\n", "a"))).isEqualTo("[a, b\\u000A]");
    }

    @Test
    void jobs_thatAnOlderVersionStoredWithThem_areFoundCancelledAndResumed() {
        JobId id = stored("old\nname", "old\nkey");

        assertThat(jobs.find("old\nname", "old\nkey")).isPresent();
        assertThat(jobs.pause("old\nname")).isTrue();
        assertThat(jobs.resume("old\nname")).isTrue();
        assertThat(jobs.cancel("old\nname", "old\nkey")).isEqualTo(CancelResult.CANCELLED);
        assertThat(jobs.find(id)).isPresent();
    }

    @Test
    void messages_showThemEscaped() {
        assertThatExceptionOfType(JobExistsException.class)
                .isThrownBy(() -> {
                    throw new JobExistsException("old\nname", "old\nkey");
                })
                .withMessageContaining("'old\\u000Aname' with key 'old\\u000Akey'");
        desk.store.pause(
                Paused.handlers(Set.of("old\nname")), new PauseNote(desk.clock.storeTime(), null, null), () -> {});
        assertThatExceptionOfType(UnknownNameException.class)
                .isThrownBy(() -> jobs.pause("odd\nname"))
                .withMessageContaining("Unknown handler 'odd\\u000Aname'")
                .withMessageContaining("'old\\u000Aname'");
    }

    private JobId stored(String name, String key) {
        JobId id = JobId.create(0, new Random(1));
        desk.store.submit(
                List.of(new NewJob(
                        id,
                        new Partition("default", 0),
                        JobTask.of(name).withKey(key),
                        JobPlan.once(StandingClock.START, StandingClock.START.plus(ofHours(1))),
                        OnExisting.KEEP,
                        1)),
                rows -> {});
        return id;
    }
}
