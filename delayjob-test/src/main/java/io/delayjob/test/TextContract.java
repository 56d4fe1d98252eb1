package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ScheduleSpec;
import io.delayjob.handler.Handler;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.schedule.Schedule;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.JobQuery;
import io.delayjob.store.StoreException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that a store returns a text unchanged or refuses it with an exception. */
interface TextContract extends GivenStore {

    @Test
    default void text_ofEveryScriptComesBack() {
        String text =
                "Grüße, Ελλάδα, 日本語, العربية, עברית, e\u0301, \uD83D\uDE80\uD83C\uDFF3\uFE0F, '\"`\\;--$1 ? :x \t\n\u007F";
        Job job = given().waiting(
                        given().job().name(text.substring(0, 60)).key(text).payload("{\"text\":\"" + text + "\"}"));

        assertThat(job.name()).isEqualTo(text.substring(0, 60));
        assertThat(job.key()).isEqualTo(text);
        assertThat(job.payload()).isEqualTo("{\"text\":\"" + text + "\"}");
        assertThat(given().store().find(JobQuery.all().key(text), StoreScenario.NOW))
                .containsExactly(job);
        assertThat(given().claim(job).payload()).isEqualTo(job.payload());
    }

    @Test
    default void text_ofTheGreatestLengthComesBack() {
        String name = "ü".repeat(Handler.MAX_NAME_LENGTH);
        String queue = "q".repeat(Handler.MAX_QUEUE_LENGTH);
        String key = "日".repeat(ScheduleSpec.MAX_KEY_LENGTH);
        String payload = "\"" + "語".repeat(65_534) + "\"";
        String schedule = "s".repeat(Schedule.MAX_TEXT_LENGTH);

        Job job = given().waiting(given().job()
                .in(new Partition(queue, 0))
                .name(name)
                .key(key)
                .payload(payload)
                .schedule(schedule));

        assertThat(job.name()).isEqualTo(name);
        assertThat(job.partition().queue()).isEqualTo(queue);
        assertThat(job.key()).isEqualTo(key);
        assertThat(job.payload()).isEqualTo(payload);
        assertThat(job.schedule()).isEqualTo(schedule);
    }

    @Test
    default void keys_thatLookAlikeAreDifferent() {
        for (String key : List.of("key", "KEY", "key ", " key", "kéy", "ke\u0301y", "key\u200B", "key\n")) {
            assertThat(given().submit(given().job().key(key)).outcome())
                    .as("'%s'", key)
                    .isEqualTo(Outcome.CREATED);
        }
    }

    @Test
    default void names_thatLookAlikeAreDifferent() {
        Job lower = given().waiting(given().job().name("mail").key("1"));
        Job upper = given().waiting(given().job().name("Mail").key("1"));

        assertThat(given().store().find(JobQuery.all().name("mail"), StoreScenario.NOW))
                .containsExactly(lower);
        assertThat(given().store().find(JobQuery.all().name("Mail"), StoreScenario.NOW))
                .containsExactly(upper);
    }

    @Test
    default void text_thatCannotBeStoredIsRefusedAsAWhole() {
        for (String odd : List.of("a\u0000b", "lone \uD83D surrogate")) {
            JobDraft good = given().job();
            JobDraft bad = given().job().key(odd, OnExisting.KEEP).payload("\"" + odd + "\"");
            try {
                given().submit(List.of(good, bad));
            } catch (StoreException refused) {
                assertThat(refused.isTransient()).as("another try may succeed").isFalse();
                assertThat(given().store().find(good.toNewJob().id())).isEmpty();
                assertThat(given().store().find(bad.toNewJob().id())).isEmpty();
                continue;
            }
            Job written = given().find(bad.toNewJob().id());
            assertThat(written.key()).isEqualTo(odd);
            assertThat(written.payload()).isEqualTo("\"" + odd + "\"");
        }
    }

    @Test
    default void failure_ofTheGreatestLengthComesBack() {
        Failure failure = new Failure("T".repeat(300), "\u0000" + "m".repeat(2_000), "日\uD83D".repeat(8_000));
        Job running = given().running(given().job());

        assertThat(given().complete(given().completing(running).failed(failure).logged()))
                .isEqualTo(CompletionResult.ACCEPTED);

        assertThat(given().find(running.id()).failure()).isEqualTo(failure);
        assertThat(given().store().attempts(running.id(), 1))
                .extracting(AttemptRecord::failure)
                .containsExactly(failure);
    }

    @Test
    default void failure_mayLackMessageAndStackTrace() {
        Failure bare = new Failure("java.lang.StackOverflowError", null, null);
        Job running = given().running(given().job());

        given().complete(given().completing(running).failed(bare).logged());

        assertThat(given().find(running.id()).failure()).isEqualTo(bare);
        assertThat(given().store().attempts(running.id(), 1))
                .extracting(AttemptRecord::failure)
                .containsExactly(bare);
    }
}
