package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.Paused;
import io.delayjob.store.JobStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Checks pauses, and how instances learn of them. */
interface PauseContract extends GivenStore {

    @Test
    default void pause_isSeenByWhoeverLooks() {
        assertThat(pauses().pause(Paused.handlers(List.of("mail", "sms")), StoreScenario.NOW, () -> {}))
                .isTrue();
        assertThat(pauses().pause(Paused.queue("bulk"), StoreScenario.NOW, () -> {}))
                .isTrue();

        Paused expected = new Paused(Set.of("mail", "sms"), Set.of("bulk"));
        assertThat(pauses().paused()).isEqualTo(expected);
        assertThat(pauses().instances().look(0).paused()).isEqualTo(expected);
        assertThat(pauses().instances().look(0).instances())
                .as("the instances, beside the pauses")
                .singleElement()
                .satisfies(row -> assertThat(row.number()).isEqualTo(given().worker()));
    }

    @Test
    default void pause_ofWhatIsPausedChangesNothing() {
        pauses().pause(Paused.handlers(Set.of("mail")), StoreScenario.NOW, () -> {});

        assertThat(pauses().pause(Paused.handlers(Set.of("mail")), StoreScenario.NOW.plusSeconds(1), () -> {}))
                .isFalse();
        assertThat(pauses().pause(Paused.handlers(Set.of("mail", "sms")), StoreScenario.NOW, () -> {}))
                .as("one of them is new")
                .isTrue();
        assertThat(pauses().paused()).isEqualTo(Paused.handlers(Set.of("mail", "sms")));
    }

    @Test
    default void pause_tellsAHandlerFromAQueueOfTheSameName() {
        pauses().pause(Paused.queue("mail"), StoreScenario.NOW, () -> {});

        assertThat(pauses().paused()).isEqualTo(Paused.queue("mail"));
        assertThat(pauses().resume(Paused.handlers(Set.of("mail")), () -> {})).isFalse();
        assertThat(pauses().paused()).isEqualTo(Paused.queue("mail"));
    }

    @Test
    default void pause_tellsNamesApartThatLookAlike() {
        Paused names = Paused.handlers(Set.of("mail", "Mail", "mäil", "mail "));
        pauses().pause(names, StoreScenario.NOW, () -> {});

        assertThat(pauses().paused()).isEqualTo(names);
        pauses().resume(Paused.handlers(Set.of("Mail")), () -> {});
        assertThat(pauses().paused()).isEqualTo(Paused.handlers(Set.of("mail", "mäil", "mail ")));
    }

    @Test
    default void pause_takesTheLongestNames() {
        String handler = "h".repeat(100);
        String queue = "q".repeat(40);
        pauses().pause(new Paused(Set.of(handler), Set.of(queue)), StoreScenario.NOW, () -> {});

        assertThat(pauses().instances().look(0).paused()).isEqualTo(new Paused(Set.of(handler), Set.of(queue)));
    }

    @Test
    default void resume_takesBackWhatWasPaused() {
        pauses().pause(new Paused(Set.of("mail", "sms"), Set.of("bulk")), StoreScenario.NOW, () -> {});

        assertThat(pauses().resume(new Paused(Set.of("mail"), Set.of("bulk")), () -> {}))
                .isTrue();
        assertThat(pauses().resume(Paused.queue("bulk"), () -> {})).as("again").isFalse();

        assertThat(pauses().instances().look(0).paused()).isEqualTo(Paused.handlers(Set.of("sms")));
    }

    @Test
    default void pauseAndResume_sayThatTheyAreCommitted() {
        AtomicInteger commits = new AtomicInteger();

        pauses().pause(Paused.queue("bulk"), StoreScenario.NOW, commits::incrementAndGet);
        assertThat(commits).hasValue(1);
        pauses().resume(Paused.queue("bulk"), commits::incrementAndGet);
        assertThat(commits).hasValue(2);
    }

    @Test
    default void pause_changesNoJob() {
        Job waiting = given().waiting(given().job());
        pauses().pause(Paused.handlers(Set.of(waiting.name())), StoreScenario.NOW, () -> {});

        assertThat(given().find(waiting.id())).isEqualTo(waiting);
        assertThat(given().claim(waiting).state())
                .as("an instance that already knows the row may claim it")
                .isEqualTo(JobState.RUNNING);
    }

    private JobStore pauses() {
        return given().store();
    }
}
