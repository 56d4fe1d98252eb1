package io.delayjob.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.event.JobListener;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application with targets, and what became of its jobs. Jobs are kept in memory. */
final class Application implements AutoCloseable {

    /** An end of an attempt. */
    record End(Job job, JobOutcome outcome, Transition next) {

        boolean isFinished() {
            return next instanceof Transition.Ended ended && ended.state() == JobState.FINISHED;
        }

        String failure() {
            return outcome instanceof JobOutcome.Failed failed ? failed.toString() : "";
        }
    }

    private static final int WAIT_SECONDS = 60;

    private final BlockingQueue<End> ends = new LinkedBlockingQueue<>();
    private final ConfigurableApplicationContext context;

    private Application(Class<?> configuration, String... properties) {
        context = new SpringApplicationBuilder(Engine.class, configuration)
                .web(WebApplicationType.NONE)
                .properties(
                        "delayjob.store=memory",
                        "logging.level.root=error",
                        "spring.application.name=shop",
                        "spring.main.banner-mode=off")
                .properties(properties)
                .initializers(made -> made.getBeanFactory().registerSingleton("ends", new JobListener() {
                    @Override
                    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
                        ends.add(new End(job, outcome, next));
                    }
                }))
                .run();
    }

    static Application of(Class<?> configuration, String... properties) {
        return new Application(configuration, properties);
    }

    /** Properties of a target that is retried every 50 ms, for ever. */
    static String[] stubborn(String target, String... others) {
        return Stream.concat(
                        Stream.of("max-retries=100000", "delay=50ms", "max-delay=50ms")
                                .map(rule -> "delayjob.targets." + target + ".retry." + rule),
                        Stream.of(others))
                .toArray(String[]::new);
    }

    DelayJobOperations jobs() {
        return context.getBean(DelayJobOperations.class);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Schedules that many jobs with a body each, due at once. Returns the ids of their messages. */
    List<String> scheduleMany(String target, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> idOf(jobs().schedule(target)
                        .with(Map.of("body", Map.of("number", i)))
                        .now()
                        .id()))
                .toList();
    }

    /** Returns the id of the message of a job's first run. */
    String idOf(JobId job) {
        long scheduledAt = jobs().find(job).orElseThrow().scheduledAt().toEpochMilli();
        return job + ":1:" + Long.toString(scheduledAt, Character.MAX_RADIX);
    }

    /** Waits for the next attempt that ends in such a way. */
    End awaitEnd(Predicate<End> wanted) throws InterruptedException {
        while (true) {
            End end = ends.poll(WAIT_SECONDS, TimeUnit.SECONDS);
            assertThat(end).as("an end of an attempt within %d s", WAIT_SECONDS).isNotNull();
            if (wanted.test(end)) {
                return end;
            }
        }
    }

    /** Waits until that many jobs are finished. Returns the number of attempts that were made. */
    int awaitFinished(int count) throws InterruptedException {
        int attempts = 0;
        long since = System.nanoTime();
        for (int finished = 0; finished < count; ) {
            attempts++;
            End end = awaitEnd(any -> true);
            if (end.isFinished()) {
                finished++;
                since = System.nanoTime();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - since))
                    .as("time without a finished job; the last end: %s", end)
                    .isLessThan(Duration.ofSeconds(WAIT_SECONDS));
        }
        return attempts;
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DelayJobAutoConfiguration.class,
        DelayJobMemoryAutoConfiguration.class,
        DelayJobThreadsAutoConfiguration.class,
        DelayJobMessagingAutoConfiguration.class
    })
    static class Engine {}
}
