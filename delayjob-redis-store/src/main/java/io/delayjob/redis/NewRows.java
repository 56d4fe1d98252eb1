package io.delayjob.redis;

import io.delayjob.job.DueRow;
import io.delayjob.job.GroupRef;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobRules;
import io.delayjob.store.StoreCapability;
import io.delayjob.store.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes new jobs. The class plans all jobs of a call before it writes the first job. So if a call is refused, nothing
 * was written for this call. If another call takes a key after the plan, the class plans the affected part again.
 * Thread-safe.
 */
final class NewRows {

    private static final String KEEPING = "keeping existing jobs";

    private final Keyspace keys;
    private final RowReader reader;
    private final RowWriter writer;
    private final GroupGate groups;

    NewRows(Keyspace keys, RowReader reader, RowWriter writer, GroupGate groups) {
        this.keys = keys;
        this.reader = reader;
        this.writer = writer;
        this.groups = groups;
    }

    List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        Set<GroupRef> begun = new HashSet<>();
        try {
            List<Scheduled> results = submit(jobs, begun, committed);
            abandon(begun);
            return results;
        } catch (RuntimeException refused) {
            if (!(refused instanceof StoreException said && said.isTransient())) {
                abandon(begun);
            }
            throw refused;
        }
    }

    private void abandon(Set<GroupRef> begun) {
        try {
            groups.deleteUnused(begun);
        } catch (StoreException failed) {
            // The result does not depend on this deletion. Retention deletes such groups later.
        }
    }

    /**
     * @param begun an empty set; this method adds each group that it writes, if the group may be left without a member
     */
    private List<Scheduled> submit(List<NewJob> jobs, Set<GroupRef> begun, DueSink committed) {
        Scheduled[] results = new Scheduled[jobs.size()];
        List<Integer> open = IntStream.range(0, jobs.size()).boxed().toList();
        boolean isChecked = false;
        for (int tries = 0; !open.isEmpty(); tries++) {
            if (tries == JudgedChanges.MAX_TRIES) {
                throw StoreException.unavailable(
                        "Other calls took the keys of %d new jobs %d times in a row: the same call may succeed later."
                                .formatted(open.size(), tries));
            }
            List<NewJob> members = groups.joined(jobs);
            List<GroupRef> missing = newGroups(jobs, members, open, tries > 0);
            if (missing == null) {
                continue;
            }
            List<SlotPlan.Part> parts = plan(members, open);
            if (!isChecked && parts.size() > 1) {
                check(members, parts);
            }
            isChecked = true;
            if (!groups.begin(withMembers(missing, parts, members), jobs.get(0).scheduledAt(), begun)) {
                continue;
            }
            DueSink asOfChange = committed.asOfNow();
            Map<JobId, DueRow> nowWaiting = new LinkedHashMap<>();
            open = write(parts, members, results, nowWaiting);
            if (!nowWaiting.isEmpty()) {
                asOfChange.accept(List.copyOf(nowWaiting.values()));
            }
            if (tries == 0 && open.isEmpty()) {
                begun.clear();
            }
        }
        return List.of(results);
    }

    private static Set<GroupRef> groupsOf(List<NewJob> jobs) {
        Set<GroupRef> groups = new HashSet<>();
        for (NewJob job : jobs) {
            GroupRef group = JobExtras.groupOf(job.extras());
            if (group != null) {
                groups.add(group);
            }
        }
        return groups;
    }

    /**
     * Returns {@code null} if a group was deleted since its name was looked up.
     *
     * @param proposing the jobs with the groups that the caller has proposed
     * @param joined the same jobs, each with the group that it joins
     * @param isRepeated whether these jobs were refused before, perhaps because of the seal of a group
     */
    private @Nullable List<GroupRef> newGroups(
            List<NewJob> proposing, List<NewJob> joined, List<Integer> open, boolean isRepeated) {
        GroupGate.Members members = new GroupGate.Members();
        for (int index : open) {
            NewJob job = joined.get(index);
            members.add(JobExtras.groupOf(job.extras()), keys.slotOf(job.id()));
        }
        if (members.isEmpty()) {
            return List.of();
        }
        if (isRepeated) {
            groups.open(members);
        }
        return groups.newAmong(members, groupsOf(proposing));
    }

    /** An existing job that is kept or postponed does not become a member of the group. */
    private static List<GroupRef> withMembers(List<GroupRef> begun, List<SlotPlan.Part> parts, List<NewJob> jobs) {
        Set<GroupRef> joined = new HashSet<>();
        for (SlotPlan.Part part : parts) {
            part.results().forEach((index, result) -> {
                GroupRef group = JobExtras.groupOf(jobs.get(index).extras());
                if (group != null && result.outcome() == Scheduled.Outcome.CREATED) {
                    joined.add(group);
                }
            });
        }
        return begun.stream().filter(joined::contains).toList();
    }

    private List<SlotPlan.Part> plan(List<NewJob> jobs, List<Integer> open) {
        Map<String, Integer> slotsByField = new LinkedHashMap<>();
        Map<Integer, List<Integer>> bySlot = new TreeMap<>();
        for (int index : open) {
            NewJob job = jobs.get(index);
            int slot = keys.slotOf(job.id());
            bySlot.computeIfAbsent(slot, first -> new ArrayList<>()).add(index);
            if (job.key() != null) {
                checkPlaced(job, slot);
                slotsByField.put(Keyspace.field(job.name(), job.key()), slot);
            }
        }
        Map<String, JobId> holders = slotsByField.isEmpty() ? Map.of() : reader.holders(slotsByField);
        Map<JobId, Job> existing = holders.isEmpty() ? Map.of() : reader.read(holders.values());
        int maxRows = isAllOrNone(jobs) ? Integer.MAX_VALUE : Keyspace.MAX_ROWS;
        List<SlotPlan.Part> parts = new ArrayList<>();
        for (List<Integer> indexes : bySlot.values()) {
            SlotPlan plan = new SlotPlan(holders, existing, maxRows);
            indexes.forEach(index -> plan.add(index, jobs.get(index)));
            parts.addAll(plan.parts());
        }
        return parts;
    }

    private void checkPlaced(NewJob job, int slot) {
        String key = job.key();
        if (key != null && keys.slotOf(job.name(), key) != slot) {
            throw StoreException.refused(
                    "Job %s with key '%s' was not placed: its id must come from the store's placement.place(job)."
                            .formatted(job.id(), key));
        }
    }

    private static boolean isAllOrNone(List<NewJob> jobs) {
        return jobs.stream().anyMatch(job -> job.key() != null && job.onExisting() == OnExisting.FAIL);
    }

    /** Refuses a call before the first write, so that no later part is refused after earlier parts were written. */
    private void check(List<NewJob> jobs, List<SlotPlan.Part> parts) {
        JobId existing = reader.firstPresent(jobs.stream().map(NewJob::id).toList());
        if (existing != null) {
            throw exists(existing);
        }
        if (isAllOrNone(jobs)) {
            throw StoreException.refused(
                    "%d jobs with the policy FAIL belong to %d slots of Redis, and this store does not %s: schedule the jobs one by one, or with KEEP."
                            .formatted(jobs.size(), parts.size(), StoreCapability.BATCHES_ACROSS_GROUPS.ability()));
        }
    }

    private static StoreException exists(JobId id) {
        return StoreException.refused("Job %s exists already: every new job must have its own id.".formatted(id));
    }

    /** Returns the indexes of jobs that must be planned again. */
    private List<Integer> write(
            List<SlotPlan.Part> parts, List<NewJob> jobs, Scheduled[] results, Map<JobId, DueRow> nowWaiting) {
        List<SlotPlan.Part> writing =
                parts.stream().filter(part -> !part.changes().isEmpty()).toList();
        List<RowWriter.Unit> units =
                writing.stream().map(part -> new RowWriter.Unit(part.changes())).toList();
        boolean isWhole = units.size() == 1 && Stream.of(results).allMatch(Objects::isNull);
        boolean[] written;
        try {
            written = writer.write("submitting jobs", units);
        } catch (StoreException failed) {
            throw isWhole || !failed.isTransient() ? failed : writtenInPart(jobs.size(), failed);
        }
        writer.confirm(KEEPING, keptIds(parts));
        List<Integer> again = new ArrayList<>();
        Set<JobId> lost = new HashSet<>();
        List<SlotPlan.Part> accepted = new ArrayList<>(parts);
        for (int i = 0; i < written.length; i++) {
            if (!written[i] && !isApplied(writing.get(i), jobs)) {
                accepted.remove(writing.get(i));
                again.addAll(writing.get(i).results().keySet());
                writing.get(i).changes().stream()
                        .filter(change -> change.before() == null)
                        .forEach(change -> lost.add(change.id()));
            }
        }
        for (SlotPlan.Part part : accepted) {
            part.results().forEach((index, result) -> {
                if (lost.contains(result.id())) {
                    // The result of this job names another job whose row was not written.
                    again.add(index);
                } else {
                    results[index] = result;
                }
            });
            part.waiting().forEach(row -> nowWaiting.put(row.id(), row));
        }
        Collections.sort(again);
        return again;
    }

    private static StoreException writtenInPart(int jobs, StoreException failed) {
        return StoreException.unavailable(
                "%s Some of %d new jobs may have been written. Repeat the call only if the jobs have keys, or if they may run twice."
                        .formatted(failed.getMessage(), jobs),
                failed);
    }

    /** If a part writes nothing, all its jobs existed before and are kept. */
    private static List<JobId> keptIds(List<SlotPlan.Part> parts) {
        return parts.stream()
                .filter(part -> part.changes().isEmpty())
                .flatMap(part -> part.results().values().stream())
                .map(Scheduled::id)
                .toList();
    }

    /**
     * Tells whether a refused part was already written. This happens if a caller gets no answer and repeats the call.
     *
     * @throws StoreException if another job has the id of a new job
     */
    private boolean isApplied(SlotPlan.Part part, List<NewJob> jobs) {
        Map<JobId, Job> present =
                reader.read(part.changes().stream().map(RowChange::id).toList());
        Collection<Integer> indexes = part.results().keySet();
        Map<JobId, Long> tokens = new HashMap<>();
        indexes.forEach(
                index -> tokens.put(jobs.get(index).id(), jobs.get(index).token()));
        for (RowChange change : part.changes()) {
            Job job = present.get(change.id());
            if (change.before() == null && job != null && !tokens.containsValue(job.token())) {
                throw exists(job.id());
            }
        }
        return part.changes().stream()
                .filter(change -> change.before() == null)
                .anyMatch(change -> change.isAppliedTo(present.get(change.id())));
    }

    /** The id is checked before the key. */
    Scheduled submitOnce(NewJob job, DueSink committed) {
        Job existing = reader.find(job.id());
        if (existing != null) {
            return kept(existing);
        }
        try {
            return submit(List.of(job), committed).get(0);
        } catch (JobExistsException | StoreException refused) {
            Job quicker = reader.find(job.id());
            if (quicker == null) {
                throw refused;
            }
            return kept(quicker);
        }
    }

    /** An earlier call may have written this row without confirmation, so the row is confirmed first. */
    private Scheduled kept(Job job) {
        writer.confirm(KEEPING, List.of(job.id()));
        return JobRules.kept(job);
    }
}
