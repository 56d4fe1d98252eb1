package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Transition;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DuePage;
import io.delayjob.store.DueSink;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.JobStore;
import io.delayjob.store.PartitionCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** The store and a registered instance of each test, with short methods for common steps. */
final class StoreScenario {

    static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private final JobStore store;
    private final Random random = new Random(20_300_101);
    private final List<DueRow> handedOver = new CopyOnWriteArrayList<>();
    private final long worker;
    private long idMillis = NOW.toEpochMilli();

    StoreScenario(JobStore store) {
        this.store = store;
        this.worker = store.instances().register("worker", Set.of("default"), Set.of());
    }

    JobStore store() {
        return store;
    }

    long worker() {
        return worker;
    }

    long token() {
        return random.nextLong();
    }

    /** Returns an id that is greater than all earlier ids. */
    JobId id() {
        return JobId.create(idMillis++, random);
    }

    /** Returns a draft of a job that has only a name, and is due at {@link #NOW}. */
    JobDraft job() {
        return job(token());
    }

    JobDraft job(long token) {
        return new JobDraft(id(), token, store.placement());
    }

    List<JobDraft> jobs(int count) {
        List<JobDraft> drafts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            drafts.add(job());
        }
        return drafts;
    }

    Scheduled submit(JobDraft draft) {
        return submit(List.of(draft)).get(0);
    }

    List<Scheduled> submit(List<JobDraft> drafts) {
        return store.submit(drafts.stream().map(JobDraft::toNewJob).toList(), sink());
    }

    Job waiting(JobDraft draft) {
        return find(submit(draft).id());
    }

    List<Job> waiting(int count) {
        return submit(jobs(count)).stream().map(result -> find(result.id())).toList();
    }

    Job running(JobDraft draft) {
        return claim(waiting(draft));
    }

    /** Returns running jobs. Their order differs from the order of the ids, and from the order of the claims. */
    List<Job> runningInAnyOrder(int count) {
        List<Job> running = new ArrayList<>();
        waiting(count).forEach(job -> running.add(claim(job)));
        Collections.shuffle(running, new Random(7));
        return running;
    }

    Job awaiting(JobDraft draft, Instant deadline) {
        Job running = running(draft);
        assertThat(complete(completing(running).awaitingUntil(deadline))).isEqualTo(CompletionResult.ACCEPTED);
        return find(running.id());
    }

    Job claim(Job waiting) {
        List<Job> claimed = store.claim(List.of(waiting.toDueRow()), worker, token(), NOW);
        assertThat(claimed).as("the claim of one waiting job").hasSize(1);
        return claimed.get(0);
    }

    Job failed(JobDraft draft) {
        Job running = running(draft);
        assertThat(complete(CompletionDraft.of(running, token()).failed("boom")))
                .isEqualTo(CompletionResult.ACCEPTED);
        return find(running.id());
    }

    Job finished(JobDraft draft) {
        Job running = running(draft);
        assertThat(complete(completing(running))).isEqualTo(CompletionResult.ACCEPTED);
        return find(running.id());
    }

    CompletionDraft completing(Job running) {
        return CompletionDraft.of(running, token());
    }

    CompletionResult complete(CompletionDraft draft) {
        return store.complete(List.of(draft.toCompletion())).get(0);
    }

    List<CompletionResult> complete(CompletionDraft... drafts) {
        Map<Integer, List<Completion>> groups = new LinkedHashMap<>();
        Map<Completion, CompletionResult> results = new IdentityHashMap<>();
        List<Completion> completions =
                Arrays.stream(drafts).map(CompletionDraft::toCompletion).toList();
        for (Completion completion : completions) {
            int group = store.placement().groupOf(completion.job().partition());
            groups.computeIfAbsent(group, first -> new ArrayList<>()).add(completion);
        }
        for (List<Completion> group : groups.values()) {
            List<CompletionResult> answers = store.complete(group);
            for (int i = 0; i < group.size(); i++) {
                results.put(group.get(i), answers.get(i));
            }
        }
        return completions.stream().map(results::get).toList();
    }

    Job find(JobId id) {
        return store.find(id).orElseThrow(() -> new AssertionError("Job %s has left no row.".formatted(id)));
    }

    List<DueRow> waitingRows() {
        return store.partitionsInUse().keySet().stream()
                .flatMap(partition -> waitingRows(partition).stream())
                .toList();
    }

    /** Makes the same call as an engine that reads rows before they are due. */
    List<DueRow> waitingRows(Partition partition) {
        return dueAfter(List.of(PartitionCursor.start(partition)), Transition.LAST_INSTANT, 5_000);
    }

    List<DueRow> dueAfter(List<PartitionCursor> cursors, Instant until, int limit) {
        return PageWalk.rows(PageWalk.pages(cursors, from -> store.dueAfter(from, until, limit)));
    }

    List<DuePage<DueRow>> overduePages(List<Partition> partitions, Set<String> names, int limit, int lookAt) {
        return PageWalk.pages(
                partitions.stream().map(PartitionCursor::start).toList(),
                from -> store.overdue(from, NOW, names, limit, lookAt));
    }

    List<DuePage<ClaimedRow>> claimedPages(List<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        return PageWalk.pages(cursors, from -> store.claimedByOthers(from, until, known, limit), ClaimedRow::row);
    }

    List<DueRow> lostRows(Partition partition, Instant until) {
        List<ClaimedRow> rows =
                PageWalk.rows(claimedPages(List.of(PartitionCursor.start(partition)), until, Set.of(), 100));
        Set<Long> registered =
                store.instances().list().stream().map(InstanceRow::number).collect(Collectors.toSet());
        return rows.stream()
                .filter(row -> !registered.contains(row.owner()))
                .map(ClaimedRow::row)
                .toList();
    }

    /** Returns a running job whose owner has left the register. */
    Job lost(JobDraft draft) {
        return claimByLostInstance(waiting(draft));
    }

    Job claimByLostInstance(Job waiting) {
        long owner = store.instances().register("lost", Set.of("default"), Set.of());
        store.claim(List.of(waiting.toDueRow()), owner, token(), NOW);
        store.instances().deregister(owner);
        return find(waiting.id());
    }

    DueSink sink() {
        return handedOver::addAll;
    }

    List<DueRow> handedOver() {
        return List.copyOf(handedOver);
    }

    void forgetHandedOver() {
        handedOver.clear();
    }
}
