package io.delayjob;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.KeyRule;
import io.delayjob.internal.limit.SlotDeal;
import io.delayjob.job.Job;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.schedule.Repeat;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the job of each self-starting handler, which has exactly one job. A job that a person has cancelled stays
 * cancelled. Thread-safe. Instances may read different states of the store, so a caller repeats its call until the call
 * changes nothing.
 *
 * <p><strong>Renamed handlers.</strong> The job keeps the former name while a registered instance knows only that name.
 * So the instances of both versions share one job. After a rollback of the new version, this job continues. Later, the
 * job moves to the present name, but not while a run is under way or due.
 *
 * <p><strong>Withdrawn jobs.</strong> If a schedule is disabled, its job is withdrawn and loses the key. So a job with
 * this key can be written again later.
 *
 * <p><strong>Unexplained plans.</strong> A job that is due later than the next two runs of its schedule is planned
 * again. The likely cause of such a plan is a test in virtual time, or a store's clock that was ahead.
 */
final class DeclaredJobs {

    private static final Logger log = LoggerFactory.getLogger(DeclaredJobs.class);

    private final JobStore store;
    private final EngineClock clock;
    private final HandlerRegistry handlers;
    private final Planner planner;
    private final JobWriter writer;
    private final int partitions;

    DeclaredJobs(
            JobStore store,
            HandlerRegistry handlers,
            EngineClock clock,
            Planner planner,
            JobWriter writer,
            int partitions) {
        this.store = store;
        this.handlers = handlers;
        this.clock = clock;
        this.planner = planner;
        this.writer = writer;
        this.partitions = partitions;
    }

    boolean declare(Handler handler, Repeat repeat) {
        Collection<Set<String>> registered = store.instances().handlers();
        List<Job> known = known(handler, registered);
        List<Job> unfinished = unfinished(known);
        if (unfinished.isEmpty() && wasCancelled(known)) {
            log.warn(
                    "Self-starting job '{}' does not run, because it was cancelled. To start the job again, schedule "
                            + "a job with this name and the key '{}'.",
                    handler.name(),
                    Job.DECLARED_KEY);
            return false;
        }
        Declaration declared = new Declaration(handler, repeat, mutexOf(handler), SlotDeal.of(handler, partitions));
        String name = nameFor(declared, unfinished, registered);
        Optional<Job> present =
                unfinished.stream().filter(job -> job.name().equals(name)).findFirst();
        Optional<Job> before = present.or(() -> unfinished.stream().findFirst());
        boolean misplanned =
                before.filter(job -> isMisplanned(job, handler, repeat)).isPresent();
        boolean written = present.isEmpty() || misplanned || !declared.isThatOf(present.get());
        if (written) {
            JobPlan plan = before.filter(job -> !misplanned)
                    .map(stored -> planner.replacementOf(stored, repeat))
                    .orElseGet(() -> planner.repeat(repeat));
            if (misplanned) {
                tellRepair(before.get(), name, plan);
            } else {
                before.ifPresent(stored -> tellChange(stored, name, declared));
            }
            // If several instances start at the same time, the first one writes the job.
            Draft draft = Draft.of(handler, name)
                    .withKey(Job.DECLARED_KEY, present.isPresent() ? OnExisting.REPLACE : OnExisting.KEEP);
            writer.write(declared.mutex == null ? draft : draft.withMutex(declared.mutex), plan);
        }
        List<Job> others =
                unfinished.stream().filter(job -> !job.name().equals(name)).toList();
        others.forEach(job -> withdraw(job, "job '" + name + "' has replaced it"));
        return written || !others.isEmpty();
    }

    private static @Nullable String mutexOf(Handler handler) {
        KeyRule rule = handler.mutex();
        return rule == null
                ? null
                : Draft.of(handler, handler.name())
                        .withMutex(rule.keyOf(List.of()))
                        .extras()
                        .mutex();
    }

    boolean undeclare(Handler handler) {
        List<Job> unfinished = unfinished(known(handler, store.instances().handlers()));
        unfinished.forEach(job -> withdraw(job, "its schedule is switched off"));
        return !unfinished.isEmpty();
    }

    private List<Job> known(Handler handler, Collection<Set<String>> registered) {
        return Stream.of(
                        Stream.of(handler.name()),
                        handler.formerNames().stream().sorted(),
                        newerNames(handler, registered))
                .flatMap(Function.identity())
                .flatMap(name -> store.find(name, Job.DECLARED_KEY).stream())
                .toList();
    }

    private static List<Job> unfinished(List<Job> known) {
        return known.stream().filter(job -> !job.state().isEnded()).toList();
    }

    private Stream<String> newerNames(Handler handler, Collection<Set<String>> registered) {
        return registered.stream()
                .filter(names -> names.contains(handler.name()))
                .flatMap(Set::stream)
                // One handler of the newer version may be two handlers in this version.
                .filter(name -> handlers.find(name) == null)
                .distinct()
                .sorted();
    }

    /** The job may have been scheduled again after an earlier job had ended, so only the last job counts. */
    private static boolean wasCancelled(List<Job> ended) {
        return ended.stream()
                .max(Comparator.comparing(DeclaredJobs::endOf))
                .filter(job -> job.state() == JobState.CANCELLED)
                .isPresent();
    }

    private static Instant endOf(Job job) {
        return Objects.requireNonNull(job.endedAt());
    }

    private String nameFor(Declaration declared, List<Job> unfinished, Collection<Set<String>> registered) {
        Handler handler = declared.handler;
        if (handler.formerNames().isEmpty()) {
            return handler.name();
        }
        List<Set<String>> older = olderVersions(handler, registered);
        if (!older.isEmpty()) {
            Optional<String> shared = Stream.concat(
                            unfinished.stream().map(Job::name),
                            handler.formerNames().stream().sorted())
                    .filter(handler.formerNames()::contains)
                    .filter(name -> older.stream().allMatch(names -> names.contains(name)))
                    .findFirst();
            shared.ifPresent(former -> log.info(
                    "Self-starting job '{}' runs under its former name '{}' for now, because an instance of an older "
                            + "version still runs and knows only the former name. When all older instances have "
                            + "stopped, the next start of an instance renames the job.",
                    handler.name(),
                    former));
            return shared.orElse(handler.name());
        }
        Optional<String> owing = unfinished.stream()
                .filter(job -> handler.formerNames().contains(job.name()))
                .filter(job -> declared.isThatOf(job) && owesARun(job))
                .map(Job::name)
                .findFirst();
        if (owing.isEmpty() || unfinished.stream().anyMatch(job -> job.name().equals(handler.name()))) {
            return handler.name();
        }
        log.info(
                "Self-starting job '{}' keeps its former name '{}' during its present run. After this run, the next "
                        + "start of an instance renames the job.",
                handler.name(),
                owing.get());
        return owing.get();
    }

    /** A job that waits for a retry, or for the end of a snooze, has begun its run. */
    private boolean owesARun(Job job) {
        Instant now = clock.storeTime();
        return job.state() == JobState.RUNNING
                || job.failures() > 0
                || !job.plannedAt().isAfter(now)
                || !job.dueAt().isAfter(now);
    }

    private static List<Set<String>> olderVersions(Handler handler, Collection<Set<String>> registered) {
        return registered.stream()
                .filter(names -> !names.contains(handler.name()) && !Collections.disjoint(names, handler.formerNames()))
                .toList();
    }

    private record Declaration(
            Handler handler,
            Repeat repeat,
            @Nullable String mutex,
            @Nullable SlotDeal deal) {

        boolean isThatOf(Job job) {
            return repeat.toText().equals(job.schedule())
                    && handler.queue().equals(job.partition().queue())
                    && Objects.equals(mutex, job.mutex())
                    && (deal == null
                            || job.isUnderWay()
                            || deal.slotsOf(job.partition().index()) > 0);
        }
    }

    private boolean isMisplanned(Job job, Handler handler, Repeat repeat) {
        return repeat.toText().equals(job.schedule()) && planner.waitsTooLong(job, repeat, maySteer(handler));
    }

    private static boolean maySteer(Handler handler) {
        HandlerMethod method = handler.method();
        return method != null && !method.returnsNothing();
    }

    private static void tellRepair(Job stored, String name, JobPlan plan) {
        log.warn(
                "Self-starting job '{}' was due at {}, but its schedule requires an earlier time. delayjob has moved "
                        + "the job to {}. Probably a test in virtual time used these tables, or the clock of the "
                        + "database was ahead. If somebody delayed the job on purpose, pause its handler instead.",
                name,
                stored.dueAt(),
                plan.plannedAt());
    }

    private static void tellChange(Job stored, String name, Declaration declared) {
        log.info(
                "delayjob stored new settings for self-starting job '{}': schedule {}, queue '{}', {}. Its old "
                        + "settings were: name '{}', schedule {}, queue '{}', {}. The job counts its runs from 1 "
                        + "again.",
                name,
                declared.repeat,
                declared.handler.queue(),
                named(declared.mutex),
                stored.name(),
                stored.schedule(),
                stored.partition().queue(),
                named(stored.mutex()));
    }

    private static String named(@Nullable String mutex) {
        return mutex == null ? "no mutex" : "mutex '" + mutex + "'";
    }

    private void withdraw(Job job, String why) {
        store.withdraw(job.id(), clock.storeTime());
        log.info("delayjob removed job {} ('{}'), because {}.", job.id(), job.name(), why);
    }
}
