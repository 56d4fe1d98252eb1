package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.delayjob.job.AttemptCounts;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobProgress;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.test.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecentActivityTest {

    private static final Instant NOW = Instant.parse("2030-01-01T08:00:00Z");

    private final VirtualClock clock = new VirtualClock(NOW);
    private final RecentActivity activity = new RecentActivity(clock);

    private static Job job(int number) {
        return new Job(
                new JobId(new UUID(0, number)),
                new Partition("default", 0),
                JobTask.of("mail"),
                JobPlan.once(NOW, NOW),
                new JobProgress(JobState.RUNNING, 7, 1, NOW, false, new AttemptCounts(1, 0, 0, 0)),
                JobEnd.NONE);
    }

    private void start(int jobs) {
        for (int number = 1; number <= jobs; number++) {
            activity.started(job(number), Duration.ofNanos(3_214_567));
        }
    }

    private RecentActivity.News since(@Nullable String after) {
        return activity.since(after, "shop#1");
    }

    @Test
    void starts_areToldOnceWithTheirLateness() {
        String before = since(null).next();
        start(2);

        RecentActivity.News news = since(before);

        assertThat(news.starts())
                .containsExactly(
                        new RecentActivity.Start(NOW, job(1).id().toString(), "mail", null, 3.215),
                        new RecentActivity.Start(NOW, job(2).id().toString(), "mail", null, 3.215));
        assertThat(news.startsLeftOut()).isZero();
        assertThat(since(news.next()).starts()).isEmpty();
    }

    @Test
    void startsBeyondAHundredOfASecond_areCounted() {
        String before = since(null).next();
        start(150);
        clock.advance(Duration.ofSeconds(1));
        start(30);

        RecentActivity.News news = since(before);

        assertThat(news.starts()).hasSize(130);
        assertThat(news.startsLeftOut()).isEqualTo(50);
    }

    @Test
    void startsBeyondTheAnswer_areCounted() {
        String before = since(null).next();
        for (int second = 0; second < 20; second++) {
            start(100);
            clock.advance(Duration.ofSeconds(1));
        }

        RecentActivity.News news = since(before);

        assertThat(news.starts()).hasSize(RecentActivity.MAX_STARTS);
        assertThat(news.startsLeftOut()).isEqualTo(2_000 - RecentActivity.MAX_STARTS);
    }

    @Test
    void cursorOfAnotherInstance_countsAsNone() {
        start(3);
        String ofAnother = activity.since(null, "shop#2").next();

        for (String after : List.of(ofAnother, "", "a.b", "x.1.2.3")) {
            assertThat(since(after).starts()).as(after).hasSize(3);
        }
    }

    @Test
    void faults_areToldInASentence() {
        activity.agentFailed("sweep", new IllegalStateException("no connection"));
        activity.agentRecovered("sweep");

        assertThat(since(null).events())
                .extracting(RecentActivity.Event::kind, RecentActivity.Event::says)
                .containsExactly(
                        tuple("TROUBLE", "Background task 'sweep' fails: no connection"),
                        tuple("RECOVERED", "Background task 'sweep' works again."));
    }

    @Test
    void instancesThatComeAndGo_areToldOf() {
        activity.instanceJoined(7, "shop-7#0123");
        activity.instanceLeft(7, "shop-7");
        activity.instanceGivenUp(8, "shop-8", Duration.ofMillis(10_200));

        assertThat(since(null).events())
                .extracting(RecentActivity.Event::kind, RecentActivity.Event::says)
                .containsExactly(
                        tuple("INSTANCE_JOINED", "shop-7 (7) joined."),
                        tuple("INSTANCE_LEFT", "shop-7 (7) left."),
                        tuple("INSTANCE_GIVEN_UP", "shop-8 (8) was given up, because it had been silent for 10.2 s."));
    }

    @Test
    void pausesAndResumes_areToldOf() {
        activity.paused(new Paused(Set.of("mail", "letter"), Set.of("bulk")));
        activity.resumed(Paused.handlers(List.of("mail")));
        activity.resumed(Paused.queue("bulk"));

        assertThat(since(null).events())
                .extracting(RecentActivity.Event::kind, RecentActivity.Event::name, RecentActivity.Event::says)
                .containsExactly(
                        tuple("HANDLER_PAUSED", "letter", "Handler letter was paused."),
                        tuple("HANDLER_PAUSED", "mail", "Handler mail was paused."),
                        tuple("QUEUE_PAUSED", "bulk", "Queue bulk was paused."),
                        tuple("HANDLER_RESUMED", "mail", "Handler mail was resumed."),
                        tuple("QUEUE_RESUMED", "bulk", "Queue bulk was resumed."));
    }

    @Test
    void whatComesBetweenTheCursorAndItsStarts_isLeftToTheNextAnswer() {
        Ring<Integer> ring = new Ring<>(4);
        for (int number = 1; number <= 3; number++) {
            ring.add(number);
        }
        long cursor = ring.last();
        ring.add(4);
        ring.add(5);

        assertThat(ring.between(0, cursor, 10)).as("1 is overwritten").containsExactly(2, 3);
        assertThat(ring.between(0, cursor, 1)).containsExactly(3);
        assertThat(ring.between(cursor, ring.last(), 10)).containsExactly(4, 5);
        assertThat(ring.between(9, ring.last(), 10)).isEmpty();
    }
}
