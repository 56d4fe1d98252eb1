package io.delayjob.redis;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Changes jobs without locks. The class reads the jobs, and asks a function (the judge) how to change them. If a job
 * has changed since the read, the class reads it and asks the judge again. Thread-safe.
 */
final class JudgedChanges {

    /** Each failed try means that another caller has changed the job. */
    static final int MAX_TRIES = 200;

    private final RowReader reader;
    private final RowWriter writer;

    /**
     * @param index index of the job among the jobs of the call
     * @param job {@code null} if the job does not exist
     */
    record Found(int index, JobId id, @Nullable Job job) {}

    /**
     * @param change {@code null} if the job must not change
     * @param created a further row that is written together with this change, unless the row exists; {@code null} if
     *     there is none
     */
    record Verdict<A>(
            A answer, @Nullable RowChange change, @Nullable RowChange created) {

        Verdict(A answer, @Nullable RowChange change) {
            this(answer, change, null);
        }
    }

    /** For jobs that have changed meanwhile, the judge is called again. */
    interface Judge<A> {

        List<Verdict<A>> judge(List<Found> found);

        static <A> Judge<A> each(Function<Found, Verdict<A>> judge) {
            return found -> found.stream().map(judge).toList();
        }
    }

    JudgedChanges(RowReader reader, RowWriter writer) {
        this.reader = reader;
        this.writer = writer;
    }

    /**
     * Returns the final verdicts, in the order of the jobs. When the method returns, all changes are confirmed. The
     * earlier writes on which a verdict depends are confirmed, too.
     */
    <A> List<Verdict<A>> change(String doing, List<JobId> ids, Judge<A> judge) {
        List<@Nullable Verdict<A>> verdicts = new ArrayList<>(Collections.nCopies(ids.size(), null));
        List<Integer> open = IntStream.range(0, ids.size()).boxed().toList();
        for (int tries = 0; !open.isEmpty(); tries++) {
            if (tries == MAX_TRIES) {
                throw StoreException.unavailable(
                        "Other calls changed %d jobs %d times while %s: the same call may succeed later."
                                .formatted(open.size(), MAX_TRIES, doing));
            }
            open = tryOnce(doing, ids, open, judge, verdicts);
        }
        return verdicts.stream().map(Objects::requireNonNull).toList();
    }

    /** Returns the indexes of the jobs with refused changes. */
    private <A> List<Integer> tryOnce(
            String doing, List<JobId> ids, List<Integer> open, Judge<A> judge, List<@Nullable Verdict<A>> verdicts) {
        Map<JobId, Job> jobs =
                reader.read(open.stream().map(ids::get).distinct().toList());
        List<Found> found = new ArrayList<>();
        for (int index : open) {
            found.add(new Found(index, ids.get(index), jobs.get(ids.get(index))));
        }
        List<Verdict<A>> judged = judge.judge(found);
        Set<JobId> existing = existing(judged);
        List<Integer> changing = new ArrayList<>();
        List<JobId> unchanged = new ArrayList<>();
        List<RowWriter.Unit> units = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            RowChange change = judged.get(i).change;
            RowChange created = judged.get(i).created;
            if (change == null) {
                verdicts.set(found.get(i).index, judged.get(i));
                unchanged.add(found.get(i).id);
            } else {
                changing.add(i);
                boolean exists = created != null && existing.contains(created.id());
                units.add(RowWriter.Unit.of(change, exists ? null : created));
            }
        }
        boolean[] written = writer.write(doing, units);
        // These verdicts may depend on writes of an earlier call that were not confirmed.
        writer.confirm(doing, unchanged);
        List<Integer> again = new ArrayList<>();
        for (int i = 0; i < written.length; i++) {
            int index = found.get(changing.get(i)).index;
            if (written[i]) {
                verdicts.set(index, judged.get(changing.get(i)));
            } else {
                again.add(index);
            }
        }
        return again;
    }

    /** If another call creates a missing row later, the script refuses the unit of that row. */
    private <A> Set<JobId> existing(List<Verdict<A>> judged) {
        List<JobId> created = judged.stream()
                .map(Verdict::created)
                .filter(Objects::nonNull)
                .map(RowChange::id)
                .toList();
        return created.isEmpty() ? Set.of() : reader.read(created).keySet();
    }
}
