package shop;

import static io.delayjob.test.DelayJobAssertions.assertThat;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.inOrder;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.store.JobQuery;
import io.delayjob.test.DelayJobTester;
import io.delayjob.test.autoconfigure.AutoConfigureDelayJobTest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;
import org.mockito.stubbing.Answer;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** The five stories, to the millisecond, in virtual time over the shop's own tables. */
@SpringBootTest(webEnvironment = WebEnvironment.NONE, properties = "spring.datasource.url=jdbc:h2:mem:stories")
@AutoConfigureDelayJobTest(startingAt = "2030-09-15T00:00:00Z")
class StoriesTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @Autowired
    private DelayJobTester tester;

    @Autowired
    private DelayJobOperations jobs;

    @Autowired
    private OrderBook orders;

    @MockitoBean
    private Mailer mailer;

    @MockitoBean
    private Partner partner;

    @MockitoBean
    private Http http;

    @MockitoBean
    private Carts carts;

    private final List<Duration> calls = new ArrayList<>();
    private Instant start;

    @BeforeEach
    void start() {
        start = tester.now();
    }

    @Test
    void unpaidOrder_isCancelledAfterHalfAnHour(@Autowired UnpaidOrders unpaidOrders) {
        Order order = orders.place(ofMinutes(30));
        unpaidOrders.placed(order.id());
        assertThat(tester).hasDelayed(UnpaidOrders::cancel).withKey(order.id());

        tester.advance(ofMinutes(30).minusMillis(1));
        assertThat(orders.find(order.id())).contains(order);

        tester.advance(ofMillis(1));
        assertThat(orders.find(order.id())).get().extracting(Order::status).isEqualTo(Order.Status.CANCELLED);
    }

    @Test
    void paidOrder_keepsNoJob(@Autowired Checkout checkout) {
        given(partner.trackingNoOf(anyLong())).willReturn(Optional.of("P-0"));
        Order order = checkout.place();
        checkout.pay(order.id());

        assertThat(tester).hasNoDelayed(UnpaidOrders::cancel);
        tester.advance(ofDays(1));
        assertThat(orders.find(order.id())).get().extracting(Order::status).isEqualTo(Order.Status.PAID);
    }

    @Test
    void customer_isRemindedThreeTimes(@Autowired Reminders reminders) {
        willAnswer(noting(null)).given(mailer).remind(anyLong(), anyInt());
        reminders.signedUp(7);

        tester.advance(ofDays(30));

        assertThat(calls).containsExactly(ofHours(1), ofDays(1), ofDays(3));
        InOrder inOrder = inOrder(mailer);
        inOrder.verify(mailer).remind(7, 1);
        inOrder.verify(mailer).remind(7, 2);
        inOrder.verify(mailer).remind(7, 3);
    }

    @Test
    void partner_isAskedWithGrowingGapsUntilItAnswers(@Autowired Tracking tracking) {
        Order order = orders.place(ofMinutes(30));
        given(partner.trackingNoOf(order.id())).willAnswer(call -> {
            note();
            return calls.size() < 10 ? Optional.empty() : Optional.of("P-1");
        });
        tracking.handedOver(order.id());

        tester.advance(ofDays(1));

        assertThat(gaps())
                .containsExactly(
                        ofSeconds(30),
                        ofSeconds(60),
                        ofSeconds(120),
                        ofSeconds(240),
                        ofSeconds(480),
                        ofSeconds(960),
                        ofSeconds(1920),
                        ofHours(1),
                        ofHours(1),
                        ofHours(1));
        assertThat(orders.find(order.id())).get().extracting(Order::trackingNo).isEqualTo("P-1");
    }

    @Test
    void webhook_isRetriedFourTimesThenWaitsToBeRevived(@Autowired Webhooks webhooks) throws IOException {
        willAnswer(call -> {
                    note();
                    throw new IOException("Nobody there");
                })
                .given(http)
                .post(anyString(), anyString());
        webhooks.send(new Hook("http://localhost/hook", "{}"));
        assertThat(calls).as("the call itself only schedules").isEmpty();

        tester.advance(ofDays(1));

        assertThat(gaps()).containsExactly(Duration.ZERO, ofSeconds(10), ofMinutes(1), ofMinutes(10), ofHours(1));
        Job failed = jobs.find(JobQuery.state(JobState.FAILED).name("send-webhook")).stream()
                .findFirst()
                .orElseThrow();
        assertThat(failed.failure()).asString().contains("IOException", "Nobody there");

        willAnswer(noting(null)).given(http).post(anyString(), anyString());
        jobs.retry(failed.id());
        tester.runDue();

        assertThat(calls).hasSize(6).last().isEqualTo(ofDays(1));
        assertThat(jobs.find(failed.id())).get().extracting(Job::state).isEqualTo(JobState.FINISHED);
    }

    @Test
    void carts_arePurgedAtThreeInBerlinAlsoWhenClocksChange() {
        willAnswer(noting(0)).given(carts).purgeOlderThanDays(30);
        ZoneOffsetTransition clocksChange = BERLIN.getRules().nextTransition(tester.now());
        tester.advanceTo(clocksChange.getInstant().minus(ofHours(36)));
        calls.clear();

        tester.advance(ofHours(72));

        LocalDateTime three = clocksChange.getDateTimeAfter().toLocalDate().atTime(LocalTime.of(3, 0));
        assertThat(calls)
                .extracting(after -> LocalDateTime.ofInstant(start.plus(after), BERLIN))
                .containsExactly(three.minusDays(1), three, three.plusDays(1));
    }

    private Answer<?> noting(@Nullable Object answer) {
        return call -> {
            note();
            return answer;
        };
    }

    private void note() {
        calls.add(Duration.between(start, tester.now()));
    }

    private List<Duration> gaps() {
        List<Duration> gaps = new ArrayList<>();
        Duration before = Duration.ZERO;
        for (Duration call : calls) {
            gaps.add(call.minus(before));
            before = call;
        }
        return gaps;
    }
}
