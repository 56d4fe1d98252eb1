package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Job;
import io.delayjob.job.OversizePayload;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobQuery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Checks payloads that are longer than the store may read. The store must keep them, but never read them into memory.
 * All other jobs must work as usual.
 */
interface OversizePayloadContract extends GivenStore {

    /** The letters take two bytes each, so that the number of bytes differs from the number of characters. */
    private String payloadOf(long bytes) {
        return "\"" + "ü".repeat(Math.toIntExact((bytes - 2) / 2)) + (bytes % 2 == 0 ? "\"" : "x\"");
    }

    private long limit() {
        return given().store().maxPayloadBytes();
    }

    @Test
    default void payload_ofTheGreatestLengthThatIsReadComesBack() {
        String payload = payloadOf(limit());

        Job waiting = given().waiting(given().job().payload(payload));

        assertThat(waiting.payload()).isEqualTo(payload);
        assertThat(waiting.oversize()).isNull();
        assertThat(given().claim(waiting).payload()).isEqualTo(payload);
    }

    @Test
    default void payload_tooLongToBeRead_isLeftOutWhereverJobsAreAnswered() {
        OversizePayload expected = new OversizePayload(limit() + 1, limit());

        Job waiting = given().waiting(given().job().key("k").payload(payloadOf(limit() + 1)));

        assertThat(waiting.payload()).isNull();
        assertThat(waiting.oversize()).isEqualTo(expected);
        assertThat(given().store().find(waiting.name(), "k")).contains(waiting);
        assertThat(given().store().find(JobQuery.all(), StoreScenario.NOW)).containsExactly(waiting);
        Job claimed = given().claim(waiting);
        assertThat(claimed.payload()).isNull();
        assertThat(claimed.oversize()).isEqualTo(expected);
    }

    @Test
    default void payload_tooLongToBeRead_isLeftOutForAnAnswer() {
        Job parked = given().awaiting(given().job().payload(payloadOf(limit() + 1)), AwaitContract.DEADLINE);
        List<Job> answered = new ArrayList<>();

        AnswerResult result = given().store()
                .answer(
                        parked.id(),
                        job -> {
                            answered.add(job);
                            return null;
                        },
                        end -> {});

        assertThat(result).isEqualTo(AnswerResult.NOT_AWAITED);
        assertThat(answered).containsExactly(parked);
    }

    @Test
    default void claim_ofAPayloadTooLongToBeRead_answersItsNeighboursWithTheirs() {
        Job before = given().waiting(given().job().payload("1"));
        Job oversize = given().waiting(given().job().payload(payloadOf(limit() + 1)));
        Job behind = given().waiting(given().job());

        List<Job> claimed = given().store()
                .claim(
                        List.of(before.toDueRow(), oversize.toDueRow(), behind.toDueRow()),
                        given().worker(),
                        given().token(),
                        StoreScenario.NOW);

        assertThat(claimed)
                .extracting(Job::id, Job::payload, job -> job.oversize() != null)
                .containsExactlyInAnyOrder(
                        tuple(before.id(), "1", false),
                        tuple(oversize.id(), null, true),
                        tuple(behind.id(), null, false));
    }

    @Test
    default void payload_tooLongToBeRead_outlivesReleaseDeadLetterAndRetry() {
        String payload = payloadOf(limit() + 1);
        Job claimed = given().running(given().job().payload(payload));
        given().store().release(List.of(claimed.toDueRow()), claimed.token(), given().token(), StoreScenario.NOW);
        Job released = given().find(claimed.id());
        assertThat(released.oversize()).isEqualTo(new OversizePayload(limit() + 1, limit()));

        Job again = given().claim(released);
        given().complete(given().completing(again).failed("cannot be read"));
        assertThat(given().find(again.id()).oversize()).isNotNull();
        assertThat(given().store().retry(again.id(), StoreScenario.NOW, given().token(), DueSink.NONE))
                .isEqualTo(ChangeResult.CHANGED);

        assertThat(given().find(again.id()).oversize()).isEqualTo(new OversizePayload(limit() + 1, limit()));
    }
}
