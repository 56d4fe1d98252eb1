package io.delayjob.client;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.JobArgument;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.spring.AnswerTickets;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.Vitals;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** A server with the REST API. It runs no job by itself, so that a test decides about every state. */
final class JobServer implements AutoCloseable {

    private static final List<String> PROPERTIES = List.of(
            "server.port=0",
            "delayjob.worker.enabled=false",
            "delayjob.payload.max-size=1000",
            "delayjob.rest.exposure.include=remind,elsewhere",
            "delayjob.rest.exposure.groups=import-*",
            "delayjob.rest.show-payloads=true",
            "delayjob.answers.secret=YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU=",
            "spring.security.user.name=shop",
            "spring.security.user.password=s3cret",
            "spring.security.user.roles=delayjob:submit,delayjob:read,delayjob:change,delayjob:answer",
            "logging.level.root=warn");

    private final ConfigurableApplicationContext context;
    private final JobStore store;

    /** @param properties where the jobs are kept */
    JobServer(String... properties) {
        this.context = new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.SERVLET)
                .properties(PROPERTIES.toArray(String[]::new))
                .properties(properties)
                .run();
        this.store = context.getBean(JobStore.class);
    }

    URI url() {
        return URI.create(
                "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/delayjob/v1");
    }

    DelayJobOperations operations() {
        return context.getBean(DelayJobOperations.class);
    }

    List<Job> jobs() {
        return store.find(JobQuery.all().limit(500), Instant.EPOCH).jobs();
    }

    /** As if an instance had started it. */
    void claim(JobId id) {
        claim(id, 1);
    }

    private void claim(JobId id, long owner) {
        DueRow row = store.find(id).orElseThrow().toDueRow();
        store.claim(List.of(row), owner, row.token() + 1, Instant.ofEpochMilli(row.dueMillis()));
    }

    /** As if another instance had started it, and had sent a heartbeat with its progress and this line. */
    void report(JobId id, int page, JobLog.Line line) {
        long number = store.instances().register("instance of " + id, Set.of("default"), Set.of());
        claim(id, number);
        int attempt = store.find(id).orElseThrow().attempt();
        Vitals vitals = new Vitals(
                null,
                Instant.EPOCH,
                Duration.ZERO,
                new Vitals.Memory(0, 0, 0),
                new Vitals.Rates(0, 0, List.of()),
                List.of(),
                null,
                List.of(new Vitals.Progress(id, attempt, page, 40, "page " + page)),
                List.of(new Vitals.Log(id, new JobLog(attempt, List.of(line)))));
        store.instances().beat(number, false, vitals);
    }

    /** As if its attempt had begun to await an answer, for an hour. */
    void await(JobId id) {
        Job running = store.find(id).orElseThrow();
        store.complete(List.of(new Completion(
                running,
                new JobOutcome.Awaited(Duration.ofHours(1)),
                new Transition.Again(
                        running.run(), running.plannedAt(), running.dueAt().plus(Duration.ofHours(1)), 0, true),
                running.token() + 1,
                running.dueAt(),
                null,
                true,
                List.of())));
    }

    /** Returns the ticket of the job's attempt, as it is handed out. */
    String ticket(JobId id) {
        Job job = store.find(id).orElseThrow();
        return context.getBean(AnswerTickets.class)
                .write(new AnswerTicket(id, job.scheduledAt(), job.run(), job.attempt()));
    }

    /** Ends the job as if its handler had returned this result. */
    void finish(JobId id, String result) {
        finish(id, extras -> extras.withResult(result));
    }

    /** Ends the job as if its handler had returned a result, and had left this. */
    void finish(JobId id, UnaryOperator<JobExtras> left) {
        Job running = store.find(id).orElseThrow();
        String extras = left.apply(running.extras()).toText();
        store.complete(List.of(new Completion(
                running.with(running.task().withExtras(extras)),
                new JobOutcome.Succeeded("any"),
                new Transition.Ended(JobState.FINISHED),
                running.token() + 1,
                running.dueAt(),
                null,
                true,
                List.of())));
    }

    /** As if its attempt had failed for good. */
    void fail(JobId id) {
        Job running = store.find(id).orElseThrow();
        Failure failure = Failure.of("CarrierException", "no van");
        store.complete(List.of(new Completion(
                running,
                new JobOutcome.Failed(failure, false),
                new Transition.Ended(JobState.FAILED),
                running.token() + 1,
                running.dueAt(),
                failure,
                true,
                List.of())));
    }

    /** Lets groups end whose members have ended, as the engine does after a while. */
    void fold() {
        store.groups().fold(Instant.now(), 1, DueSink.NONE, ended -> {});
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        /** Hashing would take most of the tests' time. */
        @Bean
        @SuppressWarnings("deprecation")
        PasswordEncoder passwordEncoder() {
            return NoOpPasswordEncoder.getInstance();
        }

        @DelayedJob(name = "remind")
        void remind(@JobArgument("orderId") long orderId) {}

        @DelayedJob(name = "sweep")
        void sweep() {}
    }
}
