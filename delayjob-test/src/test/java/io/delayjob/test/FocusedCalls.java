package io.delayjob.test;

import io.delayjob.DelayJobOperations;
import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.Job;
import io.delayjob.job.Scheduled;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The handlers and calls of the simulated clusters in which half of the calls are about jobs of one kind. */
final class FocusedCalls {

    /** The name of the handler whose jobs expire. */
    static final String HASTY = "hasty";

    private static final String SCARCE = "scarce";
    private static final String METERED = "metered";
    private static final String PACED = "paced";
    private static final String FAIR = "fair";
    private static final String BRIEF = "brief";
    private static final String LASTING = "lasting";

    /** Maximum number of attempts of the limited handler at a time in the cluster. */
    static final int LIMIT = 2;

    /** The rate of a handler in the cluster. */
    static final RateLimit RATE = RateLimit.of("2/s").burst(3);

    /** The rate of each key. */
    static final RateLimit KEY_RATE = RateLimit.of("2/s");

    /** The times for which the finished jobs of two handlers are kept. */
    private static final Map<String, Duration> KEEP_FOR =
            Map.of(BRIEF, Duration.ofSeconds(2), LASTING, Duration.ofSeconds(25));

    private final ClusterKind kind;
    private final Workload workload;
    private final Mutation mutation;
    private final SplittableRandom random;
    private final long livenessMillis;

    FocusedCalls(ClusterKind kind, Workload workload, World world, SplittableRandom random) {
        this.kind = kind;
        this.workload = workload;
        this.mutation = world.mutation();
        this.random = random;
        this.livenessMillis = world.settings().cluster().liveness().toMillis();
    }

    static boolean isLimited(Job job) {
        return job.name().equals(SCARCE);
    }

    static boolean hasRate(Job job) {
        return job.name().equals(METERED);
    }

    /** Returns the time for which the handler of this job keeps its finished jobs; {@code null} if it states none. */
    static @Nullable Duration keepFor(Job job) {
        return KEEP_FOR.get(job.name());
    }

    // ---- handlers

    void handlersFor(Node node) {
        switch (kind) {
            case LIMIT ->
                workload.register(
                        node,
                        rules(SCARCE).concurrency(LIMIT).scope(ConcurrencyScope.CLUSTER),
                        job -> workload.at(
                                node, random.nextBoolean() ? workload.upTo(300) : workload.upTo(livenessMillis), job));
            case RATE ->
                workload.register(
                        node,
                        rules(METERED).rate(mutation.partOf(RATE)),
                        job -> workload.at(node, workload.sometimes(500), job));
            case KEY_RATE ->
                workload.register(
                        node,
                        rules(PACED).rate(KEY_RATE).rateBy(arguments -> "of-the-handler"),
                        job -> workload.at(node, workload.sometimes(500), job));
            case TURNS ->
                workload.register(
                        node,
                        rules(FAIR).concurrency(2).fairBy(arguments -> "of-the-handler"),
                        job -> workload.at(node, 50 + workload.upTo(200), job));
            // There is one slot, for which jobs wait so long that some of them expire.
            case EXPIRY ->
                workload.register(
                        node,
                        rules(HASTY).concurrency(1),
                        job -> workload.at(node, workload.upTo(livenessMillis / 4), job));
            case KEEPING -> keepingHandlersFor(node);
            default -> {}
        }
    }

    /** Other instances must not delete the jobs of an instance that alone has the handlers. */
    private void keepingHandlersFor(Node node) {
        if (node.isComplete()) {
            workload.register(
                    node,
                    rules(BRIEF).keepFor(KEEP_FOR.get(BRIEF)),
                    job -> workload.at(node, workload.sometimes(500), job));
            workload.registerOutside(node, rules(LASTING).keepFor(KEEP_FOR.get(LASTING)));
        }
    }

    private static Handler.Builder rules(String name) {
        return Handler.named(name).retry(Workload.MANY_RETRIES);
    }

    // ---- calls

    /** Makes one call that is about the jobs of this kind of cluster. */
    void act(Node node) {
        workload.act(node, this::act);
    }

    private void act(DelayJobOperations jobs) {
        switch (kind) {
            case MUTEXES -> actOnMutex(jobs);
            case LIMIT -> actOnLimit(jobs);
            case RATE -> actOnRate(jobs);
            case KEY_RATE -> actOnKeyRate(jobs);
            case TURNS -> actOnTurns(jobs);
            case EXPIRY -> actOnExpiry(jobs);
            case KEEPING -> actOnKeeping(jobs);
            default -> throw new IllegalStateException("no call for " + kind);
        }
    }

    /** Schedules one job with one of two mutexes, or moves or cancels a job. */
    private void actOnMutex(DelayJobOperations jobs) {
        String mutex = "account-" + random.nextInt(2);
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> add(jobs.schedule(Workload.DEBIT).mutex(mutex).after(delay()));
            case 3, 4 -> add(jobs.schedule(Workload.CREDIT).mutex(mutex).after(delay()));
            case 5 -> add(jobs.schedule(Workload.CREDIT).mutex(mutex).repeat(workload.sequence()));
            case 6 -> moveAny(jobs);
            default -> cancelAny(jobs);
        }
    }

    /** Schedules one or more jobs of the limited handler, or moves or cancels a job. */
    private void actOnLimit(DelayJobOperations jobs) {
        switch (random.nextInt(8)) {
            case 0, 1, 2, 3 -> add(jobs.schedule(SCARCE).after(delay()));
            case 4, 5 -> {
                for (int i = 0; i < 3; i++) {
                    add(jobs.schedule(SCARCE).now());
                }
            }
            case 6 -> moveAny(jobs);
            default -> cancelAny(jobs);
        }
    }

    /** Schedules some jobs of the handler with a rate, or moves or cancels a job. */
    private void actOnRate(DelayJobOperations jobs) {
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
                for (int i = 0; i < 4; i++) {
                    add(jobs.schedule(METERED).now());
                }
            }
            case 3, 4 -> add(jobs.schedule(METERED).after(delay()));
            case 5 -> add(jobs.schedule(METERED).repeat(workload.sequence()));
            case 6 -> moveAny(jobs);
            default -> cancelAny(jobs);
        }
    }

    /** Schedules some jobs with one of two keys that have a rate, or moves or cancels a job. */
    private void actOnKeyRate(DelayJobOperations jobs) {
        String key = "customer-" + random.nextInt(2);
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
                for (int i = 0; i < 3; i++) {
                    add(jobs.schedule(PACED).rateKey(key).now());
                }
            }
            case 3, 4 -> add(jobs.schedule(PACED).rateKey(key).after(delay()));
            case 5 -> add(jobs.schedule(PACED).rateKey(key).repeat(workload.sequence()));
            case 6 -> moveAny(jobs);
            default -> cancelAny(jobs);
        }
    }

    /** Schedules some jobs of one of three tenants, or moves or cancels a job. */
    private void actOnTurns(DelayJobOperations jobs) {
        String tenant = "tenant-" + random.nextInt(3);
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
                for (int i = 0; i < 3; i++) {
                    add(jobs.schedule(FAIR).fairKey(tenant).now());
                }
            }
            case 3, 4 -> add(jobs.schedule(FAIR).fairKey(tenant).after(delay()));
            case 5 -> add(jobs.schedule(FAIR).fairKey(tenant).repeat(workload.sequence()));
            case 6 -> moveAny(jobs);
            default -> cancelAny(jobs);
        }
    }

    /** Schedules some jobs that expire, or moves or cancels a job. */
    private void actOnExpiry(DelayJobOperations jobs) {
        Duration expiry = Duration.ofMillis(livenessMillis / 4);
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
                for (int i = 0; i < 3; i++) {
                    add(jobs.schedule(HASTY).expiresAfter(expiry).now());
                }
            }
            case 3, 4 -> add(jobs.schedule(HASTY).expiresAfter(expiry).after(delay()));
            case 5 -> add(jobs.schedule(HASTY).expiresAfter(expiry).repeat(workload.sequence()));
            case 6 -> moveAny(jobs);
            default -> cancelAny(jobs);
        }
    }

    /** Schedules a job of a handler that states how long its finished jobs are kept, or moves or cancels a job. */
    private void actOnKeeping(DelayJobOperations jobs) {
        switch (random.nextInt(8)) {
            case 0, 1 -> add(jobs.schedule(BRIEF).after(delay()));
            case 2, 3, 4 -> add(jobs.schedule(LASTING).after(delay()));
            case 5 -> add(jobs.schedule(LASTING).repeat(workload.sequence()));
            case 6 -> moveAny(jobs);
            default -> cancelAny(jobs);
        }
    }

    /** Schedules many jobs of one tenant, and after that one job of another tenant. */
    void scheduleBacklog(Node node, String tenant) {
        workload.act(node, jobs -> {
            for (int i = 0; i < 20; i++) {
                add(jobs.schedule(FAIR).fairKey("huge").now());
            }
            add(jobs.schedule(FAIR).fairKey(tenant).now());
        });
    }

    private void add(Scheduled scheduled) {
        workload.add(scheduled);
    }

    private Duration delay() {
        return workload.delay();
    }

    private void moveAny(DelayJobOperations jobs) {
        workload.any().ifPresent(id -> jobs.reschedule(id, delay()));
    }

    private void cancelAny(DelayJobOperations jobs) {
        workload.any().ifPresent(jobs::cancel);
    }
}
