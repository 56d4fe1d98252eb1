package io.delayjob.proofs.chaos;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.proofs.chaos.Account.JobAccount;
import io.delayjob.proofs.chaos.Calls.Work;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The evidence of a round whose jobs await answers. */
final class AnswersAccount {

    record Told(String answerer, long askedNanos, AnswerResult result) {}

    private final Account account;
    private final int kills;
    private final Map<JobId, Map<Integer, Long>> work = new HashMap<>();
    private final Map<JobId, List<Told>> told = new HashMap<>();
    private final Map<AnswerResult, Long> results = new EnumMap<>(AnswerResult.class);

    AnswersAccount(Evidence evidence, List<Work> done) {
        account = new Account(evidence);
        kills = evidence.faults().size();
        done.forEach(piece ->
                work.computeIfAbsent(piece.job(), job -> new TreeMap<>()).merge(piece.run(), 1L, Long::sum));
        evidence.ledgers().forEach(this::read);
    }

    private void read(String answerer, List<LedgerLine> ledger) {
        record Asked(JobId job, long number) {}
        Map<Asked, Long> asked = new HashMap<>();
        for (LedgerLine line : ledger) {
            if (line.event() == Event.ANSWERING) {
                asked.put(new Asked(line.id(), line.group()), line.nanos());
            } else if (line.event() == Event.ANSWERED) {
                AnswerResult result = AnswerResult.valueOf(line.note());
                long askedNanos = Objects.requireNonNull(asked.get(new Asked(line.id(), line.group())));
                told.computeIfAbsent(line.id(), job -> new ArrayList<>()).add(new Told(answerer, askedNanos, result));
                results.merge(result, 1L, Long::sum);
            }
        }
    }

    Account account() {
        return account;
    }

    Collection<JobAccount> jobs() {
        return account.jobs();
    }

    Map<Integer, Long> work(JobAccount job) {
        return work.getOrDefault(job.id, Map.of());
    }

    List<Told> told(JobAccount job) {
        return told.getOrDefault(job.id, List.of());
    }

    long count(JobState state) {
        return jobs().stream()
                .filter(job -> job.row != null && job.row.state() == state)
                .count();
    }

    private long attempts() {
        return jobs().stream().mapToLong(job -> job.attempts.size()).sum();
    }

    @Override
    public String toString() {
        return "%d awaiting jobs, %d kill -9: %d finished, %d cancelled, in %d attempts; answers heard %s; %d attempts overdue"
                .formatted(
                        jobs().size(),
                        kills,
                        count(JobState.FINISHED),
                        count(JobState.CANCELLED),
                        attempts(),
                        results,
                        jobs().stream()
                                .flatMap(job -> job.accepted.stream())
                                .filter(end -> end.outcome().equals("TIMED_OUT"))
                                .count());
    }
}
