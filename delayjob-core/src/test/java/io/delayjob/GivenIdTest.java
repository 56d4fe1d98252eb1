package io.delayjob;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.Shop.UnpaidOrders;
import io.delayjob.job.BulkResult;
import io.delayjob.job.JobId;
import io.delayjob.job.JobIdTakenException;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobQuery;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests jobs whose ids the callers give, so that the calls may be repeated. */
class GivenIdTest {

    /** A UUID of version 4 with the highest possible first bits. Read as a time, they would mean the year 10889. */
    private static final JobId ID = JobId.parse("ffffffff-ffff-4fff-bfff-ffffffffffff");

    private final Desk desk = new Desk();
    private final NamedJobs jobs = desk.jobs;

    private ScheduleSpec spec() {
        return jobs.schedule("remind")
                .with(Map.of("orderId", 42, "text", "pay"))
                .id(ID);
    }

    @Test
    void newId_isTheJobsId() {
        Scheduled scheduled = spec().after(ofHours(1));

        assertThat(scheduled).isEqualTo(new Scheduled(ID, Outcome.CREATED, JobState.DELAYED));
        assertThat(jobs.find(ID).orElseThrow().payload()).isEqualTo("{orderId=42, text=pay}");
        assertThat(desk.handedOver).hasSize(1);
    }

    @Test
    void id_canBeGivenWithoutArgumentsAndByReference() {
        assertThat(jobs.schedule("purge-carts").id(ID).now().id()).isEqualTo(ID);
        JobId second = new JobId(UUID.randomUUID());
        assertThat(desk.jobs
                        .schedule(UnpaidOrders::cancel)
                        .with(42L)
                        .id(second)
                        .now()
                        .id())
                .isEqualTo(second);
    }

    @Test
    void repeatedCallWithAnotherTime_keepsTheJob() {
        spec().after(ofHours(1));
        desk.clock.advance(ofMinutes(5));

        assertThat(spec().after(ofHours(1))).isEqualTo(new Scheduled(ID, Outcome.KEPT, JobState.DELAYED));
        assertThat(desk.handedOver).hasSize(1);
    }

    @Test
    void repeatedCall_keepsAJobThatHasEnded() {
        spec().after(ofHours(1));
        jobs.cancel(ID);

        assertThat(spec().after(ofHours(1))).isEqualTo(new Scheduled(ID, Outcome.KEPT, JobState.CANCELLED));
    }

    @Test
    void repeatedCall_keepsAJobThatLostItsKeyToAnother() {
        ScheduleSpec keyed = spec().key("k");
        keyed.now();
        desk.claim(ID);
        jobs.schedule("remind").key("k", OnExisting.REPLACE).now();

        assertThat(keyed.now().outcome()).isEqualTo(Outcome.KEPT);
    }

    @ParameterizedTest
    @EnumSource(
            value = OnExisting.class,
            names = {"REPLACE", "POSTPONE"})
    void changeOfAnotherJobByItsKey_isRefused_becauseARepeatedCallWouldNotFindThatJob(OnExisting change) {
        jobs.schedule("remind").key("k").after(ofHours(1));
        String message = "Invalid job id %s: must come without %s".formatted(ID, change);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> spec().key("k", change))
                .withMessageStartingWith(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.schedule("remind").key("k", change).id(ID))
                .withMessageStartingWith(message);
    }

    @Test
    void otherContent_isRefusedWithoutShowingTheContentOfTheJob() {
        spec().after(ofHours(1));

        assertThatThrownBy(() -> jobs.schedule("remind")
                        .with(Map.of("orderId", 43, "text", "pay"))
                        .id(ID)
                        .now())
                .isInstanceOf(JobIdTakenException.class)
                .hasMessage(
                        "Job ffffffff-ffff-4fff-bfff-ffffffffffff exists already, but differs in its arguments: repeat the earlier call unchanged, or take a new id.");
        assertThatOther("name", spec -> jobs.schedule("greet").id(ID));
        assertThatOther("retry policy", spec -> spec.retry(RetryPolicy.none()));
        assertThatThrownBy(() -> spec().repeat(Repeat.every(ofHours(1))))
                .isInstanceOf(JobIdTakenException.class)
                .hasMessageContaining("differs in its schedule");
        assertThat(jobs.find(ID).orElseThrow().payload()).isEqualTo("{orderId=42, text=pay}");
        assertThat(desk.handedOver).hasSize(1);
    }

    @Test
    void otherKey_isRefused() {
        spec().key("1").after(ofHours(1));

        assertThatOther("key", spec -> spec.key("2"));
    }

    private void assertThatOther(String difference, UnaryOperator<ScheduleSpec> change) {
        assertThatThrownBy(() -> change.apply(spec()).now())
                .isInstanceOf(JobIdTakenException.class)
                .hasMessageContaining("differs in its " + difference);
    }

    @Test
    void id_mustBeStated() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.schedule("remind").id(null))
                .withMessageContaining("job id");
    }

    @ParameterizedTest
    @ValueSource(strings = {"OLDEST", "NEWEST", "DUE"})
    void stream_andBulkChangesFindAJobWhoseIdLooksLikeALaterTime(String order) {
        spec().after(ofHours(1));
        jobs.schedule("remind").after(ofHours(1));
        JobQuery query = JobQuery.state(JobState.DELAYED).name("remind").order(JobOrder.valueOf(order));

        assertThat(desk.jobs.stream(query)).hasSize(2);
        assertThat(desk.jobs.cancel(query)).isEqualTo(new BulkResult(2, 0));
        assertThat(jobs.find(ID).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
    }
}
