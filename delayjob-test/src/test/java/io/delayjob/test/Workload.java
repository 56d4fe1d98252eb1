package io.delayjob.test;

import io.delayjob.ChainSpec;
import io.delayjob.DelayJobOperations;
import io.delayjob.ScheduleSpec;
import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.Next;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.ScheduledChain;
import io.delayjob.schedule.MisfirePolicy;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.JobQuery;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The simulated application: its handlers, and its random calls that schedule, cancel, reschedule and retry jobs. */
final class Workload {

    /** The name of the handler whose attempts must not be repeated. */
    static final String ONCE = "once";

    private static final String NARROW = "narrow";
    private static final String QUICK = "quick";
    private static final String SLOW = "slow";
    private static final String FLAKY = "flaky";
    private static final String STUCK = "stuck";
    private static final String SEQUENCE = "sequence";
    private static final String KEYED = "keyed";
    private static final String RARE = "rare";
    private static final String LETTER = "letter";
    private static final String OUTSIDE = "outside";
    static final String DEBIT = "debit";
    static final String CREDIT = "credit";

    private static final Set<String> MAY_FAIL = Set.of(FLAKY, ONCE, LETTER, FocusedCalls.HASTY);

    /**
     * The handlers whose jobs may wait. One of them waits for its only slot or for a resumption. The other one waits
     * for an attempt that was written off and does not end.
     */
    private static final Set<String> MAY_WAIT = Set.of(NARROW, STUCK);

    /** Several instances may die while they run the same job, so there are many retries. */
    static final RetryPolicy MANY_RETRIES =
            RetryPolicy.defaults().maxRetries(50).delay(Duration.ofSeconds(1)).multiplier(1);

    private final World world;
    private final SplittableRandom random;
    private final Callees callees;
    private final long livenessMillis;
    private final List<JobId> submitted = new ArrayList<>();
    private int groups;

    /** @param anyNode supplies an instance that accepts an answer; {@code null} if none runs */
    Workload(World world, SplittableRandom random, Supplier<@Nullable Node> anyNode) {
        this.world = world;
        this.random = random;
        this.callees = new Callees(world.time(), random, anyNode);
        this.livenessMillis = world.settings().cluster().liveness().toMillis();
    }

    static boolean mayFail(Job job) {
        return MAY_FAIL.contains(job.name());
    }

    static boolean mayWait(Job job) {
        return MAY_WAIT.contains(job.name());
    }

    // ---- handlers

    void handlersFor(Node node) {
        register(node, Handler.named(QUICK).retry(MANY_RETRIES), job -> at(node, 0, job));
        register(node, Handler.named(SLOW).retry(MANY_RETRIES), job -> at(node, upTo(livenessMillis * 3 / 2), job));
        register(node, Handler.named(NARROW).retry(MANY_RETRIES).concurrency(1), job -> at(node, upTo(800), job));
        register(node, Handler.named(FLAKY).retry(RetryPolicy.gaps(Duration.ofSeconds(2))), job -> flaky(node, job));
        register(node, Handler.named(SEQUENCE).retry(MANY_RETRIES), job -> at(node, sometimes(2_000), job));
        register(node, Handler.named(KEYED).retry(MANY_RETRIES), job -> at(node, sometimes(4_000), job));
        register(node, Handler.named(ONCE).delivery(Delivery.AT_MOST_ONCE), job -> at(node, upTo(3_000), job));
        register(
                node,
                Handler.named(STUCK).retry(MANY_RETRIES).timeout(Duration.ofSeconds(1)),
                job -> at(node, hangs(job) ? upTo(livenessMillis * 2) : upTo(500), job));
        register(
                node,
                Handler.named(LETTER).retry(MANY_RETRIES).parameters(new PayloadParameter("text", String.class)),
                job -> at(node, 0, job));
        register(node, Handler.named(DEBIT).retry(MANY_RETRIES), job -> at(node, upTo(livenessMillis / 2), job));
        register(node, Handler.named(CREDIT).retry(MANY_RETRIES).concurrency(2), job -> at(node, upTo(500), job));
        registerOutside(node, Handler.named(OUTSIDE).retry(MANY_RETRIES));
        if (node.isComplete()) {
            register(node, Handler.named(RARE).retry(MANY_RETRIES), job -> at(node, upTo(500), job));
        }
    }

    /**
     * Tells whether this attempt hangs. It must not hang so often that the job takes longer than the simulation waits.
     */
    private boolean hangs(Attempted job) {
        return job.failures < 3 && random.nextBoolean();
    }

    interface Body {
        CompletableFuture<Object> call(Attempted job);
    }

    /** An attempt whose handler was called. */
    record Attempted(JobId id, int failures, Life.@Nullable Start start) {}

    void register(Node node, Handler.Builder rules, Body body) {
        node.handlers().register(rules.calls((arguments, job) -> {
            Life.Start start = world.judge().started(node, node.starting());
            CompletableFuture<Object> answer = body.call(new Attempted(job.id(), job.failures(), start));
            return answer.isDone() ? answer.join() : answer;
        }));
    }

    /**
     * Registers a handler that passes its ticket to a callee. The callee may answer before the handler has returned,
     * late, twice, or never.
     */
    void registerOutside(Node node, Handler.Builder rules) {
        node.handlers().register(rules.calls((arguments, job) -> {
            Life.Start start = world.judge().started(node, node.starting());
            callees.pass(job.ticket());
            Next next = Next.awaitAnswer(Duration.ofMillis(500 + upTo(3_000)));
            return at(node, sometimes(2_000), new Attempted(job.id(), job.failures(), start))
                    .thenApply(done -> next);
        }));
    }

    /** Returns a future that completes after this number of milliseconds, or at once if it is 0. */
    CompletableFuture<Object> at(Node node, long millis, Attempted job) {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        Runnable end = () -> {
            world.judge().ended(node, job.start, job.id);
            answer.complete("done");
        };
        if (millis == 0) {
            end.run();
        } else {
            node.later(Duration.ofMillis(millis), end);
        }
        return answer;
    }

    private CompletableFuture<Object> flaky(Node node, Attempted job) {
        int luck = random.nextInt(6);
        if (luck > 2) {
            return at(node, 0, job);
        }
        world.judge().ended(node, job.start, job.id);
        if (luck == 2) {
            return CompletableFuture.completedFuture(Next.snooze(Duration.ofMillis(1 + upTo(2_000))));
        }
        throw new IllegalStateException("bad luck");
    }

    long upTo(long millis) {
        return random.nextLong(millis);
    }

    long sometimes(long millis) {
        return random.nextInt(3) == 0 ? upTo(millis) : 0;
    }

    /**
     * Returns the codec of an instance. Only complete instances can read payloads of a newer deployment. No instance
     * can read garbage.
     */
    PayloadCodec codecFor(boolean complete) {
        return new PayloadCodec() {
            @Override
            public String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments) {
                return String.valueOf(arguments.get(0));
            }

            @Override
            public @Nullable String encodeNamed(Map<String, ? extends @Nullable Object> arguments) {
                return arguments.isEmpty() ? null : String.valueOf(arguments.get("text"));
            }

            @Override
            public List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload) {
                boolean readable =
                        payload == null || writing || payload.equals("old") || payload.equals("new") && complete;
                if (!readable) {
                    throw new InvalidPayloadException("Invalid payload '%s'.".formatted(payload));
                }
                return parameters.stream().<Object>map(parameter -> "text").toList();
            }
        };
    }

    /** Resumes all handlers and queues. */
    void resumeAll() {
        world.store().jobs.resume(world.store().jobs.paused(), () -> {});
    }

    /**
     * Whether a payload is being written. The same codec checks written payloads, and must not refuse payloads that
     * will be unreadable later.
     */
    private boolean writing;

    // ---- calls

    /** Makes one call of the application on this instance. It may fail, and then it is unknown what it has done. */
    void act(Node node) {
        act(node, jobs -> act(node, jobs));
    }

    void act(Node node, Consumer<DelayJobOperations> call) {
        node.later(Duration.ZERO, () -> {
            try {
                call.accept(node.operations());
            } catch (StoreException | JobExistsException failed) {
                // The application gives up, as real applications do.
            }
        });
    }

    private void act(Node node, DelayJobOperations jobs) {
        switch (random.nextInt(32)) {
            case 0, 1, 2 -> add(jobs.schedule(QUICK).after(delay()));
            case 3, 4 -> add(jobs.schedule(SLOW).after(delay()));
            case 5 -> add(jobs.schedule(NARROW).after(delay()));
            case 6 -> add(jobs.schedule(FLAKY).after(delay()));
            case 7 -> add(jobs.schedule(ONCE).after(delay()));
            case 8 -> add(jobs.schedule(STUCK).after(delay()));
            case 9 -> add(jobs.schedule(RARE).after(delay()));
            case 10 -> sendLetter(jobs);
            case 11, 12 -> add(jobs.schedule(SEQUENCE).repeat(sequence()));
            case 13, 14 -> scheduleKeyed(jobs);
            case 15 -> transaction(node, jobs);
            case 16, 17 -> cancel(jobs);
            case 18 -> any().ifPresent(id -> jobs.reschedule(id, delay()));
            case 19 -> jobs.pause(NARROW);
            case 20 -> jobs.resume(NARROW);
            case 21, 22 -> add(jobs.schedule(OUTSIDE).after(delay()));
            case 23 -> add(jobs.schedule(OUTSIDE).repeat(sequence()));
            case 24, 25, 26 -> scheduleChain(jobs);
            case 27, 28, 29 -> scheduleGroup(jobs);
            default -> bringBack(jobs);
        }
    }

    /** Schedules some long jobs for an instance that will die soon. */
    List<JobId> longOnes(Node node, int count) {
        List<JobId> ids = new ArrayList<>();
        node.later(Duration.ZERO, () -> {
            for (int i = 0; i < count; i++) {
                Scheduled scheduled = node.operations().schedule(SLOW).now();
                add(scheduled);
                ids.add(scheduled.id());
            }
        });
        return ids;
    }

    void add(Scheduled scheduled) {
        world.judge().acknowledged(scheduled.id());
        submitted.add(scheduled.id());
    }

    Duration delay() {
        return switch (random.nextInt(4)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofMillis(upTo(livenessMillis * 2));
            default -> Duration.ofMillis(upTo(2_000));
        };
    }

    Repeat sequence() {
        Repeat repeat =
                Repeat.every(Duration.ofMillis(50 + upTo(livenessMillis / 2))).times(1 + random.nextInt(4));
        MisfirePolicy[] policies = MisfirePolicy.values();
        return repeat.misfire(policies[random.nextInt(policies.length)]);
    }

    private void sendLetter(DelayJobOperations jobs) {
        String[] texts = {"old", "new", "new", "garbage"};
        writing = true;
        ScheduleSpec letter = jobs.schedule(LETTER).with(Map.of("text", texts[random.nextInt(texts.length)]));
        writing = false;
        add(letter.after(delay()));
    }

    private void scheduleKeyed(DelayJobOperations jobs) {
        OnExisting[] ways = OnExisting.values();
        ScheduleSpec spec = jobs.schedule(KEYED).key(random.nextInt(2), ways[random.nextInt(ways.length)]);
        add(random.nextBoolean() ? spec.after(delay()) : spec.repeat(sequence()));
    }

    private void scheduleChain(DelayJobOperations jobs) {
        String[] names = {QUICK, SLOW, FLAKY, OUTSIDE, ONCE};
        ChainSpec chain = jobs.schedule(names[random.nextInt(names.length)])
                .then(names[random.nextInt(names.length)])
                .thenAlways(QUICK);
        ScheduledChain scheduled = random.nextInt(4) == 0 ? chain.repeatFirst(sequence()) : chain.startAfter(delay());
        add(scheduled.first());
        submitted.addAll(scheduled.followers());
    }

    /** An answer may be lost in between. Then nobody closes the group. */
    private void scheduleGroup(DelayJobOperations jobs) {
        String[] names = {QUICK, SLOW, FLAKY, OUTSIDE, ONCE};
        String group = "group-" + groups++;
        for (int i = random.nextInt(4); i >= 0; i--) {
            ScheduleSpec member =
                    jobs.schedule(names[random.nextInt(names.length)]).group(group);
            if (random.nextInt(4) == 0) {
                ScheduledChain chain = member.then(QUICK).startAfter(delay());
                add(chain.first());
                submitted.addAll(chain.followers());
            } else {
                add(random.nextInt(6) == 0 ? member.repeat(sequence()) : member.after(delay()));
            }
        }
        submitted.add(jobs.group(group).whenAllEnded(jobs.schedule(QUICK)));
    }

    private void transaction(Node node, DelayJobOperations jobs) {
        Transactions.Transaction transaction = node.transactions().begin(() -> {
            for (int i = random.nextInt(3); i >= 0; i--) {
                jobs.schedule(QUICK).after(delay());
            }
        });
        if (random.nextInt(3) == 0) {
            return;
        }
        node.later(Duration.ofMillis(upTo(1_000)), () -> {
            try {
                transaction.commit().forEach(this::add);
            } catch (StoreException failed) {
                // It is unknown whether it has committed.
            }
        });
    }

    Optional<JobId> any() {
        int recent = Math.min(submitted.size(), 10);
        return recent == 0
                ? Optional.empty()
                : Optional.of(submitted.get(submitted.size() - 1 - random.nextInt(recent)));
    }

    private void cancel(DelayJobOperations jobs) {
        if (random.nextInt(4) == 0) {
            jobs.cancel(KEYED, random.nextInt(2));
        } else {
            any().ifPresent(jobs::cancel);
        }
    }

    private void bringBack(DelayJobOperations jobs) {
        jobs.find(JobQuery.state(JobState.FAILED).limit(1)).forEach(failed -> jobs.retry(failed.id()));
    }
}
