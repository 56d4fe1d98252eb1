package io.delayjob;

import io.delayjob.handler.Handler;
import io.delayjob.job.Job;
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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the one job of each handler that starts by itself. One that somebody cancelled stays cancelled, under whichever
 * of the handler's names.
 *
 * <p><strong>Renamed handlers.</strong> The job moves to the present name, and leaves nothing behind that would keep an
 * older version from writing it again. It stays under a former name while an instance is registered that knows no
 * other: both versions then have one job between them, and it goes on should the newer one be taken back. Of two, as
 * each version has written one, the other is withdrawn.
 *
 * <p>Thread-safe. Instances that declare the same at once come to the same: what one writes or withdraws, the other
 * finds done.
 */
final class DeclaredJobs {

    private static final Logger log = LoggerFactory.getLogger(DeclaredJobs.class);

    private final JobStore store;
    private final EngineClock clock;
    private final Planner planner;
    private final JobWriter writer;

    DeclaredJobs(JobStore store, EngineClock clock, Planner planner, JobWriter writer) {
        this.store = store;
        this.clock = clock;
        this.planner = planner;
        this.writer = writer;
    }

    void declare(Handler handler, Repeat repeat) {
        List<Job> known = Stream.concat(
                        Stream.of(handler.name()),
                        handler.formerNames().stream().sorted())
                .flatMap(name -> store.find(name, Job.DECLARED_KEY).stream())
                .toList();
        List<Job> unfinished =
                known.stream().filter(job -> !job.state().isEnded()).toList();
        if (unfinished.isEmpty() && wasCancelled(known)) {
            log.warn(
                    "Job '{}', which is to start by itself, was cancelled by hand and stays so: to bring it back, schedule it by its name with the key '{}'.",
                    handler.name(),
                    Job.DECLARED_KEY);
            return;
        }
        String name = nameFor(handler, unfinished);
        Optional<Job> present =
                unfinished.stream().filter(job -> job.name().equals(name)).findFirst();
        if (present.isEmpty() || !isAsDeclared(present.get(), handler, repeat)) {
            present.or(() -> unfinished.stream().findFirst())
                    .ifPresent(stored -> tellChange(stored, name, handler, repeat));
            // Of instances that start together the first one writes it; only a job that is there, and other, is
            // replaced.
            Draft draft = Draft.of(handler, name)
                    .withKey(Job.DECLARED_KEY, present.isPresent() ? OnExisting.REPLACE : OnExisting.KEEP);
            writer.write(draft, planner.repeat(repeat));
        }
        unfinished.stream().filter(job -> !job.name().equals(name)).forEach(job -> withdraw(job, name));
    }

    /** What ended last tells: a job may have been brought back since somebody cancelled it. */
    private static boolean wasCancelled(List<Job> ended) {
        return ended.stream()
                .max(Comparator.comparing(DeclaredJobs::endOf))
                .filter(job -> job.state() == JobState.CANCELLED)
                .isPresent();
    }

    private static Instant endOf(Job job) {
        return Objects.requireNonNull(job.endedAt());
    }

    /** Its own, unless it has to stay under a former one for now. */
    private String nameFor(Handler handler, List<Job> unfinished) {
        if (handler.formerNames().isEmpty()) {
            return handler.name();
        }
        List<Set<String>> older = olderVersions(handler);
        if (!older.isEmpty()) {
            Optional<String> shared = Stream.concat(
                            unfinished.stream().map(Job::name),
                            handler.formerNames().stream().sorted())
                    .filter(name -> older.stream().allMatch(names -> names.contains(name)))
                    .findFirst();
            shared.ifPresent(former -> log.info(
                    "Job '{}', which is to start by itself, goes by its former name '{}' as long as an instance is registered that knows no other; the first start after that gives it its own.",
                    handler.name(),
                    former));
            return shared.orElse(handler.name());
        }
        // Should the attempt under way fail, its retries go on.
        boolean runs = unfinished.size() == 1 && unfinished.get(0).state() == JobState.RUNNING;
        return runs ? unfinished.get(0).name() : handler.name();
    }

    /** The names by which instances know this handler that do not know its present one. */
    private List<Set<String>> olderVersions(Handler handler) {
        Collection<Set<String>> registered = store.instances().handlers();
        return registered.stream()
                .filter(names -> !names.contains(handler.name()) && !Collections.disjoint(names, handler.formerNames()))
                .toList();
    }

    private static boolean isAsDeclared(Job job, Handler handler, Repeat repeat) {
        return repeat.toText().equals(job.schedule())
                && handler.queue().equals(job.partition().queue());
    }

    private static void tellChange(Job stored, String name, Handler handler, Repeat repeat) {
        log.info(
                "Job '{}' repeats as this version declares it, {} in queue '{}'; stored was '{}', {} in queue '{}'. Its runs are counted anew.",
                name,
                repeat,
                handler.queue(),
                stored.name(),
                stored.schedule(),
                stored.partition().queue());
    }

    private void withdraw(Job job, String name) {
        store.withdraw(job.id(), clock.storeTime());
        log.info(
                "Job {} ('{}') is withdrawn: what it did by itself is now done by job '{}'.",
                job.id(),
                job.name(),
                name);
    }
}
