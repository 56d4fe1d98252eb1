package io.delayjob;

import static io.delayjob.StandingClock.START;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.Shop.CartCleanup;
import io.delayjob.Shop.UnpaidOrders;
import io.delayjob.Shop.Webhooks;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.JobContext;
import io.delayjob.job.JobId;
import io.delayjob.schedule.Repeat;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that invalid input is refused at the call and nothing is written. The message states the value, its unit, the
 * rule and the next step.
 */
class RefusedInputTest {

    private static final String ID_OF_NULL = null;

    private final Desk desk = new Desk();
    private final DelayJobOperations jobs = desk.jobs;
    private final ScheduleSpec purge = jobs.schedule(CartCleanup::purge);

    @AfterEach
    void nothingWasWritten() {
        assertThat(desk.isEmpty()).isTrue();
        assertThat(desk.handedOver).isEmpty();
        assertThat(desk.told).isEmpty();
    }

    @Test
    void handlerReference_ofNoHandler() {
        refused(
                () -> jobs.schedule(Webhooks::forget),
                "No handler for Webhooks::forget. Annotate the method with @DelayedJob, and make its "
                        + "class a Spring bean of this application. Do so even if this application only schedules "
                        + "(delayjob.worker.enabled=false). To schedule a handler of another application, give its "
                        + "name instead.");
        assertThatIllegalArgumentException().isThrownBy(() -> jobs.cancel(Webhooks::forget, 1));
    }

    @Test
    void pause_ofATextThatCannotBeAName() {
        refused(
                () -> jobs.pause(" "),
                "Invalid job name ' ' (1 characters): must have 1 to 100 characters and not be blank.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.pauseQueue("a b"))
                .withMessageContaining("Invalid queue 'a b'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.resumeQueue(""))
                .withMessageContaining("Invalid queue ''");
        assertThatIllegalArgumentException().isThrownBy(() -> jobs.pause(Webhooks::forget));
        assertThat(jobs.paused().isEmpty()).isTrue();
    }

    @Test
    void handlerReference_lambdaBody() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.schedule((UnpaidOrders orders, Long id) -> orders.cancel(id)))
                .withMessageContaining("must be a method reference such as UnpaidOrders::cancel and not a lambda body");
    }

    @Test
    void handlerReference_contextTakenForAPayload() {
        MethodReference.OnePayload<CartCleanup, JobContext> watch = CartCleanup::watch;

        refusedPayload(
                () -> jobs.schedule(watch).with(null),
                "Invalid number of payloads for handler 'watch-carts' (1): must be 0, one for each of "
                        + "the parameters []; write the method reference directly in the call of "
                        + "schedule(…), so that the compiler checks the number of payloads.");
    }

    @Test
    void name() {
        refused(
                () -> jobs.schedule(" "),
                "Invalid job name ' ' (1 characters): must have 1 to 100 characters and not be blank.");
        refused(
                () -> jobs.schedule("n".repeat(101)),
                "Invalid job name '" + "n".repeat(101) + "' (101 characters): must have 1 to 100 characters and not be "
                        + "blank.");
        refused(
                () -> jobs.schedule("a\0b"),
                "Invalid job name 'a\uFFFDb': must not contain U+0000 (at index 1), because databases "
                        + "refuse that character; remove it.");
        refused(
                () -> jobs.cancel("", 1),
                "Invalid job name '' (0 characters): must have 1 to 100 characters and not be blank.");
        refused(
                () -> jobs.find(JobQuery.all().name("\0")),
                "Invalid job name '\uFFFD': must not contain U+0000 (at index 0), because databases "
                        + "refuse that character; remove it.");
    }

    @Test
    void key_null() {
        refused(
                () -> purge.key(ID_OF_NULL),
                "Invalid key null for job 'purge-carts': must be a value that identifies the job. If it "
                        + "is a generated id, save the entity first.");
        refused(
                () -> jobs.schedule(UnpaidOrders::cancel).withEach(List.of(1L)).key(id -> null),
                "Invalid key null for job 'cancel-unpaid-order': must be a value that identifies the "
                        + "job. If it is a generated id, save the entity first.");
    }

    @Test
    void key_blankOrTooLong() {
        refused(
                () -> purge.key("\t"),
                "Invalid key '\\u0009' (1 characters) for job 'purge-carts': must have 1 to 200 "
                        + "characters and not be blank. Use a short text that identifies the job, such as an id.");
        refused(
                () -> purge.key("k".repeat(201)),
                "Invalid key '" + "k".repeat(100)
                        + "…' (201 characters) for job 'purge-carts': must have 1 to 200 characters and not be "
                        + "blank. Use a short text that identifies the job, such as an id.");
        refused(
                () -> jobs.cancel(UnpaidOrders::cancel, ""),
                "Invalid key '' (0 characters) for job 'cancel-unpaid-order': must have 1 to 200 "
                        + "characters and not be blank. Use a short text that identifies the job, such as an id.");
        refused(
                () -> jobs.cancel("elsewhere", ""),
                "Invalid key '' (0 characters) for job 'elsewhere': must have 1 to 200 characters and "
                        + "not be blank. Use a short text that identifies the job, such as an id.");
    }

    @Test
    void key_withoutATextOfItsOwn() {
        int[] array = {1};
        refused(
                () -> purge.key(array),
                "Invalid key '%s' for job 'purge-carts': must have a text form, but an object of type int[] has none. Use an id, or give the class a toString()."
                        .formatted(array));
        Object object = new Object();
        refused(
                () -> purge.key(object),
                "Invalid key '%s' for job 'purge-carts': must have a text form, but an object of type Object has none. Use an id, or give the class a toString()."
                        .formatted(object));
    }

    @Test
    void key_withCharactersThatDatabasesRefuse() {
        refused(
                () -> purge.key("a\0"),
                "Invalid key 'a\uFFFD': must not contain U+0000 (at index 1), because databases refuse "
                        + "that character; remove it.");
        refused(
                () -> purge.key("\uD83D!"),
                "Invalid key '\uFFFD!': must not contain U+D83D (at index 0), because databases refuse "
                        + "that character; remove it.");
        refused(
                () -> purge.key("\uD83D"),
                "Invalid key '\uFFFD': must not contain U+D83D (at index 0), because databases refuse "
                        + "that character; remove it.");
        refused(
                () -> purge.key("!\uDE00"),
                "Invalid key '!\uFFFD': must not contain U+DE00 (at index 1), because databases refuse "
                        + "that character; remove it.");
        refused(
                () -> jobs.find(JobQuery.all().key("\0")),
                "Invalid key '\uFFFD': must not contain U+0000 (at index 0), because databases refuse "
                        + "that character; remove it.");
        assertThat(purge.key("\uD83D\uDE00")).as("a whole pair is a character").isNotNull();
    }

    @Test
    void queue() {
        refused(
                () -> purge.queue("no spaces"),
                "Invalid queue 'no spaces' (9 characters): must be 1 to 40 letters, digits, '-', '_' or '.'.");
        refused(
                () -> jobs.schedule(UnpaidOrders::cancel).withEach(List.of(1L)).queue("q".repeat(41)),
                "Invalid queue '" + "q".repeat(41)
                        + "' (41 characters): must be 1 to 40 letters, digits, '-', '_' or '.'.");
    }

    @Test
    void delay_negativeOrTooLong() {
        String negative = "Invalid delay PT-1S: must be zero or more; zero means due at once.";
        refused(() -> purge.after(ofSeconds(-1)), negative);
        refused(() -> jobs.reschedule(anyId(), ofSeconds(-1)), negative);

        String absurd =
                "Invalid delay PT96000000H (4000000 days): must end before the year 10000; state a shorter delay.";
        refused(() -> purge.after(ofDays(4_000_000)), absurd);
        refused(() -> jobs.reschedule(anyId(), ofDays(4_000_000)), absurd);
        assertThatIllegalArgumentException().isThrownBy(() -> purge.after(Duration.ofSeconds(Long.MAX_VALUE)));
    }

    @Test
    void instant_pastTheYear9999() {
        Instant tooLate = Instant.parse("+10000-01-01T00:00:00Z");
        String message =
                "Invalid instant +10000-01-01T00:00:00Z: must be before the year 10000; state an earlier instant.";
        refused(() -> purge.at(tooLate), message);
        refused(() -> jobs.reschedule(anyId(), tooLate), message);
        assertThatIllegalArgumentException().isThrownBy(() -> purge.at(Instant.MAX));
    }

    @Test
    void schedule_thatNeverRuns() {
        refused(
                () -> purge.repeat(Repeat.every(ofDays(1)).until(START)),
                "Invalid schedule 'every:PT24H;until=2030-01-31T10:00:00Z': must have a run after "
                        + "2030-01-31T10:00:00Z; state a later 'until', or a cron expression that matches.");
    }

    @Test
    void spread_negativeOrTooLong() {
        BulkSpec<Long> each = jobs.schedule(UnpaidOrders::cancel).withEach(List.of(1L, 2L));
        refused(
                () -> each.spreadOver(ofSeconds(-1)),
                "Invalid duration PT-1S to spread jobs over: must be zero or more; without this "
                        + "duration, all jobs are due at once.");
        refused(
                () -> each.spreadOver(ofDays(4_000_000)).now(),
                "Invalid duration PT96000000H (4000000 days) to spread jobs over, counted from "
                        + "2030-01-31T10:00:00Z: must end before the year 10000; state a shorter duration.");
    }

    @Test
    void payload_null() {
        refusedPayload(
                () -> jobs.schedule(UnpaidOrders::cancel).with(null),
                "Invalid payload null for parameter 'orderId' of handler 'cancel-unpaid-order': must be "
                        + "a value. If it is a generated id, save the entity first.");
        refusedPayload(
                () -> jobs.schedule(Webhooks::send).with("http://a", null),
                "Invalid payload null for parameter 'body' of handler 'send-webhook': must be a value. "
                        + "If it is a generated id, save the entity first.");
    }

    @Test
    void payload_tooLong() {
        refusedPayload(
                () -> jobs.schedule(Webhooks::send).with("http://a", "b".repeat(60)),
                "Invalid payload of 81 characters for handler 'send-webhook': must be at most 60 "
                        + "characters (delayjob.payload.max-size). Store the data elsewhere and pass its id, or "
                        + "raise the limit.");
        refusedPayload(
                () -> jobs.schedule("elsewhere").with(Map.of("text", "t".repeat(100))),
                "Invalid payload of 107 characters for handler 'elsewhere': must be at most 60 "
                        + "characters (delayjob.payload.max-size). Store the data elsewhere and pass its id, or "
                        + "raise the limit.");
    }

    @Test
    void payload_withCharactersThatDatabasesRefuse() {
        refusedPayload(
                () -> jobs.schedule(Webhooks::send).with("\0", "b"),
                "Invalid payload for handler 'send-webhook': must not contain U+0000 (at index 13), "
                        + "because databases refuse that character; remove it.");
    }

    @Test
    void payload_thatTheCodecRefuses() {
        refusedPayload(
                () -> jobs.schedule(Webhooks::send).with("http://a", "unwritable"),
                "Invalid payload 'unwritable': must be writable; write something else.");
    }

    @Test
    void payload_oneOfMany_namesItsPlace() {
        refusedPayload(
                () -> jobs.schedule(UnpaidOrders::cancel).withEach(Arrays.asList(1L, 2L, null)),
                "The payload at index 2 of 3 was refused: Invalid payload null for parameter 'orderId' "
                        + "of handler 'cancel-unpaid-order': must be a value. If it is a generated id, save the "
                        + "entity first.");
    }

    @Test
    void argumentNames_unknownToAHandlerHere() {
        refusedPayload(
                () -> jobs.schedule("send-webhook").with(Map.of("url", "u", "boddy", "b", "at", 1)),
                "Invalid argument names [at, boddy] for handler 'send-webhook': must be among [url, "
                        + "body]; correct the names.");
    }

    @Test
    void arguments_missingWhereNoneMeansZero() {
        String message =
                "Missing argument 'orderId' for handler 'cancel-unpaid-order': must be a value, because its type is "
                        + "long; give it by name.";
        refusedPayload(() -> jobs.schedule("cancel-unpaid-order").now(), message);
        refusedPayload(
                () -> jobs.schedule("cancel-unpaid-order").with(Collections.singletonMap("orderId", null)), message);
    }

    @Test
    void arguments_missingWhereTheHandlerHereAsksForThem() {
        String message = "Missing argument '%s' for handler 'send-webhook': must be given, because its parameter is "
                + "neither @Nullable nor an Optional. Give it by name; null is allowed.";
        NamedSpec spec = jobs.schedule("send-webhook");
        refusedPayload(spec::now, message.formatted("url"));
        refusedPayload(() -> spec.after(ofSeconds(1)), message.formatted("url"));
        refusedPayload(() -> spec.at(START), message.formatted("url"));
        refusedPayload(() -> spec.repeat(Repeat.every(ofDays(1))), message.formatted("url"));
        refusedPayload(() -> spec.key("k"), message.formatted("url"));
        refusedPayload(() -> spec.with(Map.of()), message.formatted("url"));
        refusedPayload(() -> spec.with(Map.of("url", "u")), message.formatted("body"));
        refusedPayload(
                () -> jobs.schedule("log-webhook").now(),
                message.replace("send-", "log-").formatted("url"));
    }

    @Test
    void arguments_thatTheHandlerHereCouldNotRead() {
        refusedPayload(
                () -> jobs.schedule("cancel-unpaid-order").with(Map.of("orderId", "misfit")),
                "Invalid argument 'orderId' for handler 'cancel-unpaid-order': must be long, but is a java.lang.String; "
                        + "pass a value of that type.");
    }

    @Test
    void argumentsInOrder_ofOtherTypes() {
        refusedPayload(
                () -> jobs.schedule("cancel-unpaid-order").with(List.of("4111")),
                "Invalid argument 'orderId' for handler 'cancel-unpaid-order': must be long, but is a java.lang.String; "
                        + "pass a value of that type.");
        refusedPayload(
                () -> jobs.schedule("cancel-unpaid-order").with(List.of(Map.of())),
                "Invalid argument 'orderId' for handler 'cancel-unpaid-order': must be long, but is a map; pass a value "
                        + "of that type.");
        refusedPayload(
                () -> jobs.schedule("cancel-unpaid-order").with(Collections.singletonList(null)),
                "Invalid argument 'orderId' for handler 'cancel-unpaid-order': must be long, but is null; pass a value "
                        + "of that type.");
    }

    @Test
    void argumentsInOrder_ofAHandlerElsewhere() {
        refused(
                () -> jobs.schedule("elsewhere").with(List.of(1)),
                "This application has no handler 'elsewhere', so the order of its parameters is unknown. "
                        + "Give the arguments by name, as a map.");
    }

    private static JobId anyId() {
        return JobId.create(0, new Random(1));
    }

    private static void refused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
    }

    private static void refusedPayload(ThrowingCallable call, String message) {
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(call)
                .withMessage(message);
    }
}
