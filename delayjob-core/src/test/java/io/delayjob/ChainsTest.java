package io.delayjob;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.Shop.CartCleanup;
import io.delayjob.Shop.Reminders;
import io.delayjob.Shop.UnpaidOrders;
import io.delayjob.Shop.Webhooks;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadTooLongException;
import io.delayjob.job.ChainStep;
import io.delayjob.job.ChainStep.When;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobIdTakenException;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.job.ScheduledChain;
import io.delayjob.job.Transition;
import io.delayjob.schedule.Repeat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests calls that schedule chains, and the lines that they store with the first job. */
class ChainsTest {

    private static final JobId ID = JobId.parse("ffffffff-ffff-4fff-bfff-ffffffffffff");

    private final Desk desk = new Desk();
    private final DelayJobOperations jobs = desk.jobs;

    private List<ChainStep> steps(ScheduledChain chain) {
        return desk.job(chain.first()).extras().steps();
    }

    private ChainStep only(ScheduledChain chain) {
        assertThat(steps(chain)).hasSize(1);
        return steps(chain).get(0);
    }

    @Test
    void chain_isStoredWithItsFirstJob_andNamesTheIdsOfTheOthers() {
        ScheduledChain chain = jobs.schedule(UnpaidOrders::cancel)
                .with(42L)
                .key(42)
                .label("customer:7")
                .then(Webhooks::send)
                .with("https://a", "{}")
                .thenAlways(CartCleanup::purge)
                .startAfter(ofHours(1));

        Job first = desk.job(chain.first());
        assertThat(first.name()).isEqualTo("cancel-unpaid-order");
        assertThat(first.key()).isEqualTo("42");
        assertThat(first.labels()).containsExactly("customer:7");
        assertThat(first.dueAt()).isEqualTo(desk.clock.storeTime().plus(ofHours(1)));
        assertThat(steps(chain))
                .containsExactly(
                        new ChainStep(
                                chain.followers().get(0),
                                When.FINISHED,
                                "hooks",
                                "send-webhook",
                                null,
                                "{body={}, url=https://a}"),
                        new ChainStep(
                                chain.followers().get(1),
                                When.FINISHED_OR_FAILED,
                                "default",
                                "purge-carts",
                                null,
                                null));
        assertThat(chain.followers())
                .doesNotHaveDuplicates()
                .allSatisfy(id -> assertThat(jobs.find(id)).isEmpty());
        assertThat(desk.told).containsExactly("cancel-unpaid-order x 1");
        assertThat(desk.handedOver).hasSize(1);
    }

    @Test
    void parameterWithoutAnArgument_takesTheResult() {
        assertThat(only(jobs.schedule(CartCleanup::purge)
                                .then(UnpaidOrders::cancel)
                                .now())
                        .resultName())
                .isEqualTo("orderId");
        assertThat(only(jobs.schedule(CartCleanup::purge)
                                .then(Reminders::remind)
                                .now())
                        .resultName())
                .isEqualTo("customerId");
        ChainStep second = only(jobs.schedule(CartCleanup::watch)
                .then(Webhooks::send)
                .with("https://a")
                .now());
        assertThat(second.resultName()).isEqualTo("body");
        assertThat(second.payload()).isEqualTo("{url=https://a}");
        ChainStep third = only(jobs.schedule(CartCleanup::watch)
                .thenAlways(Webhooks::log)
                .with("https://a")
                .now());
        assertThat(third.resultName()).isEqualTo("body");
        assertThat(only(jobs.schedule(CartCleanup::purge)
                                .then(UnpaidOrders::cancel)
                                .with(1L)
                                .now())
                        .resultName())
                .isNull();
        assertThat(only(jobs.schedule(CartCleanup::purge)
                                .then(CartCleanup::watch)
                                .now())
                        .resultName())
                .isNull();
    }

    @Test
    void stepsByName_followTheSameRules() {
        ScheduledChain chain = jobs.schedule("elsewhere")
                .with(Map.of("id", 1))
                .then("send-webhook")
                .with(Map.of("url", "https://a"))
                .then("cancel-order")
                .thenAlways("elsewhere")
                .with(Map.of("id", 2))
                .now();

        assertThat(steps(chain))
                .extracting(ChainStep::name)
                .containsExactly("send-webhook", "cancel-unpaid-order", "elsewhere");
        assertThat(steps(chain)).extracting(ChainStep::resultName).containsExactly("body", "orderId", null);
        assertThat(steps(chain)).extracting(ChainStep::payload).containsExactly("{url=https://a}", null, "{id=2}");
        assertThat(steps(chain)).extracting(ChainStep::queue).containsExactly("hooks", "default", "default");
    }

    @Test
    void wrongArguments_areRefusedAtTheCall() {
        assertThatThrownBy(() -> jobs.schedule(CartCleanup::purge)
                        .then("send-webhook")
                        .with(Map.of("uri", "https://a"))
                        .now())
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageContaining("[uri]");
        assertThatThrownBy(() -> jobs.schedule(CartCleanup::purge)
                        .then("send-webhook")
                        .with(Map.of("body", "{}"))
                        .now())
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageStartingWith("Missing argument 'url'");
        assertThatThrownBy(() -> jobs.schedule(CartCleanup::purge)
                        .then("send-webhook")
                        .with(Map.of("url", "misfit"))
                        .now())
                .isInstanceOf(InvalidPayloadException.class);
        assertThatThrownBy(() ->
                        jobs.schedule(CartCleanup::purge).then(Webhooks::forget).now())
                .isInstanceOf(InvalidHandlerReferenceException.class);
        assertThatThrownBy(() -> jobs.schedule(CartCleanup::purge)
                        .then((MethodReference.TwoPayloads<Webhooks, String, String>) Webhooks::send, When.FINISHED)
                        .now())
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageStartingWith("Invalid number of payloads for handler 'send-webhook' (0): must be 2");
        assertThat(desk.isEmpty()).isTrue();
    }

    @Test
    void chainThatIsTooLong_isRefused() {
        ChainSpec chain = jobs.schedule(CartCleanup::purge).then(CartCleanup::purge);
        for (int i = 1; i < ChainStep.MAX; i++) {
            chain = chain.then(CartCleanup::purge);
        }
        ChainSpec full = chain;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> full.then(CartCleanup::purge).now())
                .withMessage(
                        "Invalid chain of job 'purge-carts': must have at most 20 jobs that follow the first; let the last one schedule the rest.");
        assertThat(full.now().followers()).hasSize(ChainStep.MAX);
        assertThat(steps(full.now())).hasSize(ChainStep.MAX);
    }

    @Test
    void argumentsThatAreTooLongTogether_areRefused() {
        Desk roomy = new Desk(20_000);
        ChainSpec chain = roomy.jobs
                .schedule(CartCleanup::purge)
                .group("import-42")
                .then(UnpaidOrders::cancel)
                .then(Webhooks::send)
                .with("\u00fc".repeat(8_000), "y");

        assertThatThrownBy(() -> chain.then(Webhooks::send)
                        .with("\u00fc".repeat(8_400), "y")
                        .now())
                .isInstanceOf(PayloadTooLongException.class)
                .hasMessageMatching(
                        "Invalid chain of job 'purge-carts': the jobs that follow have 33\\d{3} bytes with their arguments, and must have at most 32768 together\\. .*");
        assertThat(roomy.isEmpty()).isTrue();
        assertThat(roomy.jobs.group("import-42").find()).isEmpty();
        assertThat(chain.now().followers()).hasSize(2);
    }

    @Test
    void repeatedCallWithAnId_namesTheSameJobs() {
        ChainSpec chain = jobs.schedule(CartCleanup::purge).id(ID).then(UnpaidOrders::cancel);
        ScheduledChain once = chain.now();

        ScheduledChain again = chain.startAfter(ofHours(1));

        assertThat(again.first().outcome()).isEqualTo(Outcome.KEPT);
        assertThat(again.followers()).isEqualTo(once.followers());
        assertThatThrownBy(() -> jobs.schedule(CartCleanup::purge).id(ID).now())
                .isInstanceOf(JobIdTakenException.class)
                .hasMessageContaining("chain");
    }

    @Test
    void repeatedCallWithAnId_isRecognized_afterTheFollowerWasWritten() {
        ChainSpec chain = jobs.schedule(CartCleanup::purge).id(ID).label("web").then(UnpaidOrders::cancel);
        chain.now();
        desk.claim(ID);
        Job running = desk.store.find(ID).orElseThrow();
        desk.store.complete(List.of(new Completion(
                running,
                new JobOutcome.Succeeded(),
                new Transition.Ended(JobState.FINISHED),
                7,
                desk.clock.storeTime(),
                null,
                true,
                List.of())));

        ScheduledChain again = chain.now();

        assertThat(again.first().state()).isEqualTo(JobState.FINISHED);
        assertThat(jobs.find(again.followers().get(0)).orElseThrow().follows()).isEqualTo(ID);
        assertThatThrownBy(() -> jobs.schedule(CartCleanup::purge)
                        .id(ID)
                        .then(UnpaidOrders::cancel)
                        .now())
                .isInstanceOf(JobIdTakenException.class);
    }

    @Test
    void jobThatIsKeptByItsKey_keepsItsOwnChain() {
        ScheduledChain first = jobs.schedule(CartCleanup::purge)
                .key("k")
                .then(UnpaidOrders::cancel)
                .startAfter(ofHours(1));

        ScheduledChain kept = jobs.schedule(CartCleanup::purge)
                .key("k")
                .then(CartCleanup::watch)
                .now();
        ScheduledChain postponed = jobs.schedule(CartCleanup::purge)
                .key("k", OnExisting.POSTPONE)
                .then(CartCleanup::watch)
                .startAfter(ofHours(2));

        assertThat(kept.followers()).isEmpty();
        assertThat(postponed.followers()).isEmpty();
        assertThat(steps(first)).extracting(ChainStep::id).isEqualTo(first.followers());

        ScheduledChain replaced = jobs.schedule(CartCleanup::purge)
                .key("k", OnExisting.REPLACE)
                .then(CartCleanup::watch)
                .now();
        assertThat(steps(first)).extracting(ChainStep::id).isEqualTo(replaced.followers());
        assertThat(replaced.followers()).isNotEqualTo(first.followers());
    }

    @Test
    void firstJob_mayRepeat() {
        ScheduledChain chain = jobs.schedule(CartCleanup::purge)
                .then(CartCleanup::watch)
                .repeatFirst(Repeat.every(ofHours(1)).times(3));

        assertThat(desk.job(chain.first()).schedule()).isNotNull();
        assertThat(only(chain).name()).isEqualTo("watch-carts");
    }

    @Test
    void idsOfFollowers_areSpread_andKeepTheirFirstBits() {
        List<JobId> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            JobId id = JobId.create(1_000, new SplittableRandom(i));
            all.add(id);
            List<JobId> followers = id.followers(ChainStep.MAX);
            assertThat(followers).allSatisfy(follower -> {
                assertThat(follower.value().getMostSignificantBits())
                        .isEqualTo(id.value().getMostSignificantBits());
                assertThat(follower.value().variant()).isEqualTo(2);
            });
            assertThat(id.followers(3)).isEqualTo(followers.subList(0, 3));
            all.addAll(followers);
        }
        assertThat(all).doesNotHaveDuplicates();
    }
}
