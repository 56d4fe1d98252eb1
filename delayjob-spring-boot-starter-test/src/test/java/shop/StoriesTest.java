package shop;

import static io.delayjob.test.DelayJobAssertions.assertThat;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.store.JobQuery;
import io.delayjob.test.DelayJobTester;
import io.delayjob.test.autoconfigure.AutoConfigureDelayJobTest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.annotation.DirtiesContext.ClassMode;

/** The five stories, each minute and month of them, on whatever store the subclass says. */
@SpringBootTest(classes = Shop.class, properties = "spring.datasource.generate-unique-name=true")
@AutoConfigureDelayJobTest(startingAt = "2030-01-01T00:00:00Z")
@DirtiesContext(classMode = ClassMode.AFTER_EACH_TEST_METHOD)
abstract class StoriesTest {

    @Autowired
    private DelayJobTester tester;

    @Autowired
    private DelayJobOperations jobs;

    @Autowired
    private World world;

    @Autowired
    private UnpaidOrders unpaidOrders;

    @Autowired
    private Reminders reminders;

    @Autowired
    private Tracking tracking;

    @Autowired
    private Webhooks webhooks;

    private List<Duration> since(Instant start) {
        return world.times.stream().map(time -> Duration.between(start, time)).toList();
    }

    @Test
    void unpaidOrder_isCancelledAfterHalfAnHour() {
        unpaidOrders.placed(1);
        assertThat(tester).hasDelayed(UnpaidOrders::cancel).withKey(1L);
        tester.advance(ofMinutes(30).minusMillis(1));
        assertThat(world.said).isEmpty();
        tester.advance(ofMillis(1));
        assertThat(world.said).containsExactly("cancel 1 if unpaid");
        assertThat(tester).hasFinished(UnpaidOrders::cancel).withKey(1L).once();
        tester.advance(ofDays(1));
        assertThat(world.said).hasSize(1);
    }

    @Test
    void paidOrder_isNotCancelled() {
        unpaidOrders.placed(1);
        unpaidOrders.placed(2);
        tester.advance(ofMinutes(29));
        unpaidOrders.paid(1);
        assertThat(tester).hasDelayed(UnpaidOrders::cancel).withKey(2L).times(1);
        tester.advance(ofMinutes(1));
        assertThat(world.said).containsExactly("cancel 2 if unpaid");
    }

    @Test
    void customer_isRemindedAfterAnHourADayAndThreeDays() {
        Instant start = tester.now();
        reminders.signedUp(7);
        tester.advance(ofDays(2));
        tester.advance(ofDays(2));
        assertThat(world.said)
                .containsExactly("remind 7 for the 1. time", "remind 7 for the 2. time", "remind 7 for the 3. time");
        assertThat(since(start)).containsExactly(ofHours(1), ofDays(1), ofDays(3));
        assertThat(jobs.find(JobQuery.all().name("remind-customer")))
                .singleElement()
                .satisfies(job -> assertThat(job.state()).isEqualTo(JobState.FINISHED));
    }

    @Test
    void partner_isPolledWithGrowingGapsUntilItAnswers() {
        Instant start = tester.now();
        world.answersAtPoll = 10;
        tracking.handedOver(5);
        tester.advance(ofHours(12).minusMinutes(1));
        assertThat(since(start))
                .containsExactly(
                        ofSeconds(30),
                        ofSeconds(90),
                        ofSeconds(210),
                        ofSeconds(450),
                        ofSeconds(930),
                        ofSeconds(1_890),
                        ofSeconds(3_810),
                        ofSeconds(3_810).plusHours(1),
                        ofSeconds(3_810).plusHours(2),
                        ofSeconds(3_810).plusHours(3));
        assertThat(world.said.get(world.said.size() - 1)).isEqualTo("order 5 is shipped as T5");
        assertThat(tester).hasNoDelayed(Tracking::poll);
    }

    @Test
    void webhook_isRetriedFourTimesAndThenWaitsInTheFailedList() throws IOException {
        Instant start = tester.now();
        world.networkIsDown = true;
        webhooks.send(new Hook("http://a", "{}"));
        assertThat(world.said).isEmpty();
        tester.advance(ofHours(2));
        assertThat(since(start))
                .containsExactly(
                        ofSeconds(0),
                        ofSeconds(10),
                        ofSeconds(70),
                        ofSeconds(670),
                        ofSeconds(670).plusHours(1));
        Job failed = jobs.find(JobQuery.state(JobState.FAILED).name("send-webhook")).stream()
                .findFirst()
                .orElseThrow();
        assertThat(failed.failure().type()).isEqualTo(IOException.class.getName());
        assertThat(failed.failure().message()).isEqualTo("network is down");
        assertThat(failed.payload()).isEqualTo("{\"hook\":{\"url\":\"http://a\",\"body\":\"{}\"}}");

        world.networkIsDown = false;
        assertThat(jobs.retry(failed.id())).isEqualTo(ChangeResult.CHANGED);
        tester.runDue();
        assertThat(world.said).last().isEqualTo("post {} to http://a");
        assertThat(jobs.find(failed.id())).get().extracting(Job::state).isEqualTo(JobState.FINISHED);
    }
}
