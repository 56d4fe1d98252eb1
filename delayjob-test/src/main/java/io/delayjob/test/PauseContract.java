package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import io.delayjob.store.JobStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Checks pauses, and how instances learn of pauses. */
interface PauseContract extends GivenStore {

    @Test
    default void pause_isSeenByWhoeverLooks() {
        assertThat(pauses().pause(
                                Paused.handlers(List.of("mail", "sms")),
                                new PauseNote(StoreScenario.NOW, null, null),
                                () -> {}))
                .isTrue();
        assertThat(pauses().pause(Paused.queue("bulk"), new PauseNote(StoreScenario.NOW, null, null), () -> {}))
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
        pauses().pause(Paused.handlers(Set.of("mail")), new PauseNote(StoreScenario.NOW, null, null), () -> {});

        assertThat(pauses().pause(
                                Paused.handlers(Set.of("mail")),
                                new PauseNote(StoreScenario.NOW.plusSeconds(1), null, null),
                                () -> {}))
                .isFalse();
        assertThat(pauses().pause(
                                Paused.handlers(Set.of("mail", "sms")),
                                new PauseNote(StoreScenario.NOW, null, null),
                                () -> {}))
                .as("one of them is new")
                .isTrue();
        assertThat(pauses().paused()).isEqualTo(Paused.handlers(Set.of("mail", "sms")));
    }

    @Test
    default void pauses_sayWhoPausedWhat_sinceWhenAndWhy() {
        PauseNote ann = new PauseNote(StoreScenario.NOW, "ann", "the mail server is down: Überlast");
        PauseNote unknown = new PauseNote(StoreScenario.NOW.plusSeconds(1), null, null);
        pauses().pause(Paused.queue("bulk"), unknown, () -> {});
        pauses().pause(Paused.handlers(Set.of("sms", "mail")), ann, () -> {});
        assertThat(pauses().pause(Paused.handlers(Set.of("sms")), unknown, () -> {}))
                .as("it is paused already")
                .isFalse();
        assertThat(pauses().pause(Paused.queue("bulk"), ann, () -> {}))
                .as("it is paused already")
                .isFalse();

        assertThat(pauses().pauses())
                .containsExactly(
                        new PausedName(PausedName.Kind.HANDLER, "mail", ann),
                        new PausedName(PausedName.Kind.HANDLER, "sms", ann),
                        new PausedName(PausedName.Kind.QUEUE, "bulk", unknown));
        pauses().resume(Paused.handlers(Set.of("sms", "mail")), () -> {});
        assertThat(pauses().pauses()).containsExactly(new PausedName(PausedName.Kind.QUEUE, "bulk", unknown));
    }

    @Test
    default void pauses_keepTheLongestNote() {
        String wide = "ü😀".repeat(1_000);
        PauseNote longest = new PauseNote(StoreScenario.NOW, wide, "line\nand \ud800" + wide);
        pauses().pause(Paused.queue("bulk"), longest, () -> {});

        assertThat(pauses().pauses()).extracting(PausedName::note).containsExactly(longest);
        assertThat(longest.by()).hasSizeBetween(PauseNote.MAX_BY - 1, PauseNote.MAX_BY);
        assertThat(longest.reason()).hasSizeBetween(PauseNote.MAX_REASON - 1, PauseNote.MAX_REASON);
    }

    @Test
    default void pause_tellsAHandlerFromAQueueOfTheSameName() {
        pauses().pause(Paused.queue("mail"), new PauseNote(StoreScenario.NOW, null, null), () -> {});

        assertThat(pauses().paused()).isEqualTo(Paused.queue("mail"));
        assertThat(pauses().resume(Paused.handlers(Set.of("mail")), () -> {})).isFalse();
        assertThat(pauses().paused()).isEqualTo(Paused.queue("mail"));
    }

    @Test
    default void pause_tellsNamesApartThatLookAlike() {
        Paused names = Paused.handlers(Set.of("mail", "Mail", "mäil", "mail "));
        pauses().pause(names, new PauseNote(StoreScenario.NOW, null, null), () -> {});

        assertThat(pauses().paused()).isEqualTo(names);
        pauses().resume(Paused.handlers(Set.of("Mail")), () -> {});
        assertThat(pauses().paused()).isEqualTo(Paused.handlers(Set.of("mail", "mäil", "mail ")));
    }

    @Test
    default void pause_takesTheLongestNames() {
        String handler = "h".repeat(100);
        String queue = "q".repeat(40);
        pauses().pause(
                        new Paused(Set.of(handler), Set.of(queue)),
                        new PauseNote(StoreScenario.NOW, null, null),
                        () -> {});

        assertThat(pauses().instances().look(0).paused()).isEqualTo(new Paused(Set.of(handler), Set.of(queue)));
    }

    @Test
    default void resume_takesBackWhatWasPaused() {
        pauses().pause(
                        new Paused(Set.of("mail", "sms"), Set.of("bulk")),
                        new PauseNote(StoreScenario.NOW, null, null),
                        () -> {});

        assertThat(pauses().resume(new Paused(Set.of("mail"), Set.of("bulk")), () -> {}))
                .isTrue();
        assertThat(pauses().resume(Paused.queue("bulk"), () -> {})).as("again").isFalse();

        assertThat(pauses().instances().look(0).paused()).isEqualTo(Paused.handlers(Set.of("sms")));
    }

    @Test
    default void pauseAndResume_sayThatTheyAreCommitted() {
        AtomicInteger commits = new AtomicInteger();

        pauses().pause(Paused.queue("bulk"), new PauseNote(StoreScenario.NOW, null, null), commits::incrementAndGet);
        assertThat(commits).hasValue(1);
        pauses().resume(Paused.queue("bulk"), commits::incrementAndGet);
        assertThat(commits).hasValue(2);
    }

    @Test
    default void pause_changesNoJob() {
        Job waiting = given().waiting(given().job());
        pauses().pause(Paused.handlers(Set.of(waiting.name())), new PauseNote(StoreScenario.NOW, null, null), () -> {});

        assertThat(given().find(waiting.id())).isEqualTo(waiting);
        assertThat(given().claim(waiting).state())
                .as("an instance that already knows the row may claim it")
                .isEqualTo(JobState.RUNNING);
    }

    private JobStore pauses() {
        return given().store();
    }
}
