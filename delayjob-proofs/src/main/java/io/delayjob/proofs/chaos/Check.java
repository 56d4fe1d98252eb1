package io.delayjob.proofs.chaos;

import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.JobState;
import io.delayjob.proofs.chaos.Account.Attempt;
import io.delayjob.proofs.chaos.Account.Cancel;
import io.delayjob.proofs.chaos.Account.JobAccount;
import io.delayjob.proofs.chaos.Account.Lead;
import io.delayjob.proofs.chaos.Account.Reschedule;
import io.delayjob.proofs.chaos.Evidence.Accepted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The properties that must hold in every round, under all injected faults. */
enum Check {
    /** A committed job has run as often as planned, unless a client has requested its cancellation. */
    NOTHING_LOST {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            account.betrayed()
                    .forEach(group ->
                            found.add("transaction %d was acknowledged, but its row does not exist".formatted(group)));
            for (JobAccount job : account.jobs()) {
                if (account.exists(job) && !isAccountedFor(job)) {
                    found.add("%s: %s, of %d runs it started %s"
                            .formatted(
                                    job,
                                    job.row == null ? "no row" : job.row.state(),
                                    job.kind().runs(),
                                    runs(job)));
                }
            }
            return found;
        }

        private boolean isAccountedFor(JobAccount job) {
            if (job.row == null) {
                return false;
            }
            return switch (job.row.state()) {
                case FINISHED ->
                    runs(job)
                            .containsAll(IntStream.rangeClosed(1, job.kind().runs())
                                    .boxed()
                                    .toList());
                case CANCELLED -> !job.cancels.isEmpty();
                default -> false;
            };
        }

        private Set<Integer> runs(JobAccount job) {
            Set<Integer> runs = new HashSet<>();
            job.attempts.forEach(attempt -> runs.add(attempt.run()));
            return runs;
        }
    },

    /** If the transaction of a job was not committed, the job has never run, and has left no row. */
    NOTHING_FROM_NOWHERE {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            account.strangers().forEach(row -> found.add("nobody scheduled " + row));
            for (JobAccount job : account.jobs()) {
                if (!account.exists(job) && (!job.attempts.isEmpty() || job.row != null)) {
                    found.add("%s: was not committed (its client heard: %s), has %s and ran %d times"
                            .formatted(job, account.outcome(job), job.row, job.attempts.size()));
                }
            }
            return found;
        }
    },

    /**
     * If a cancellation says that no attempt follows, no attempt starts. An attempt that was claimed before may still
     * start. This is allowed if the cancellation returns RUNNING. It is also allowed if the cancellation returns
     * CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT and the run was answered.
     */
    NO_START_AFTER_CANCEL {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            for (JobAccount job : account.jobs()) {
                for (Cancel cancel : job.cancels) {
                    List<Attempt> later = job.attempts.stream()
                            .filter(attempt -> attempt.startedNanos() > cancel.answeredNanos())
                            .toList();
                    boolean allowed =
                            later.isEmpty() || later.size() == 1 && mayHaveBeenClaimed(job, cancel, later.get(0));
                    if (saysCancelled(cancel) && !allowed) {
                        found.add("%s: answered %s, then started %s".formatted(job, cancel, later));
                    }
                }
            }
            return found;
        }

        private boolean mayHaveBeenClaimed(JobAccount job, Cancel cancel, Attempt attempt) {
            return cancel.result() == CancelResult.RUNNING
                    || cancel.result() == CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT
                            && wasAnsweredBefore(job, attempt);
        }

        /** A cancelled job accepts no outcome. So an accepted answer came before the cancellation. */
        private boolean wasAnsweredBefore(JobAccount job, Attempt attempt) {
            return job.kind() == Kind.AWAIT_SEQUENCE
                    && job.accepted.stream()
                            .filter(Accepted::endedItsRun)
                            .anyMatch(end -> end.run() == attempt.run() && end.attempt() < attempt.number());
        }

        private boolean saysCancelled(Cancel cancel) {
            return cancel.result() == CancelResult.CANCELLED
                    || cancel.result() == CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT
                    || cancel.result() == CancelResult.RUNNING;
        }
    },

    /** If a cancellation returns CANCELLED, no attempt is under way. */
    NO_ATTEMPT_HIDDEN_BY_CANCEL {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            for (JobAccount job : account.jobs()) {
                for (Cancel cancel : job.cancels) {
                    if (cancel.result() == CancelResult.CANCELLED) {
                        job.attempts.stream()
                                .filter(attempt -> attempt.startedNanos() < cancel.answeredNanos())
                                .filter(attempt -> attempt.endedNanos() > cancel.answeredNanos())
                                .forEach(attempt -> found.add(
                                        "%s: answered %s while %s was under way".formatted(job, cancel, attempt)));
                    }
                }
            }
            return found;
        }
    },

    NO_ATTEMPT_TWICE {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            for (JobAccount job : account.jobs()) {
                Set<Integer> seen = new HashSet<>();
                for (Attempt attempt : job.attempts) {
                    if (!seen.add(attempt.number())) {
                        found.add("%s: attempt %d started again by %s"
                                .formatted(job, attempt.number(), attempt.worker()));
                    }
                }
            }
            return found;
        }
    },

    /** After another attempt has started, the outcome of the earlier attempt is not accepted. */
    NO_STALE_COMPLETION {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            for (JobAccount job : account.jobs()) {
                for (Accepted end : job.accepted) {
                    long endedNanos = job.attempts.stream()
                            .filter(attempt -> attempt.number() == end.attempt())
                            .mapToLong(Attempt::endedNanos)
                            .findFirst()
                            .orElse(Long.MIN_VALUE);
                    job.attempts.stream()
                            .filter(other -> other.run() == end.run() && other.number() > end.attempt())
                            .filter(other -> end.endedItsRun() || other.startedNanos() < endedNanos)
                            .forEach(other -> found.add("%s: %s was taken although attempt %d had been started by %s"
                                    .formatted(job, end, other.number(), other.worker())));
                }
            }
            return found;
        }
    },

    /** Each run of a finished job has ended exactly once. */
    EACH_RUN_ENDS_ONCE {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            for (JobAccount job : account.jobs()) {
                if (job.row == null) {
                    continue;
                }
                boolean finished = job.row.state() == JobState.FINISHED;
                int runs = finished ? job.kind().runs() : 0;
                Map<Integer, Long> ends = new TreeMap<>();
                IntStream.rangeClosed(1, runs).forEach(run -> ends.put(run, 0L));
                job.accepted.stream()
                        .filter(Accepted::endedItsRun)
                        .forEach(end -> ends.merge(end.run(), 1L, Long::sum));
                if (ends.values().stream().anyMatch(count -> count != 1) || (finished && ends.size() != runs)) {
                    found.add("%s, %s: accepted ends by run: %s".formatted(job, job.row.state(), ends));
                }
            }
            return found;
        }
    },

    /**
     * If the outcome of an atomic attempt was accepted, the effect of its handler exists exactly once. If the outcome
     * was not accepted, the effect does not exist.
     */
    EFFECT_WITH_ITS_END {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            for (JobAccount job : account.jobs()) {
                List<Integer> ended = job.accepted.stream()
                        .filter(end -> job.kind == Kind.ATOMIC && end.endedItsRun())
                        .map(Accepted::attempt)
                        .sorted()
                        .toList();
                List<Integer> effects = job.effects.stream().sorted().toList();
                if (!effects.equals(ended)) {
                    found.add("%s: attempts %s have their effect, and attempts %s have ended well"
                            .formatted(job, effects, ended));
                }
            }
            return found;
        }
    },

    /** If an attempt threw no exception, its run starts again only after a kill or a silence of the process. */
    NO_REPETITION_WITHOUT_FAULT {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            for (Repetition repetition : Repetition.all(account)) {
                if (!repetition.isBySilence(account, 0)) {
                    found.add(repetition.toString());
                }
            }
            return found;
        }
    },

    /** Two attempts of a job overlap only if the first process was silent for longer than its liveness period. */
    NO_OVERLAP_WITHOUT_SILENCE {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            for (JobAccount job : account.jobs()) {
                for (Attempt first : job.attempts) {
                    job.attempts.stream()
                            .filter(second -> second.number() > first.number())
                            .map(second -> new Repetition(job, first, second))
                            .filter(Repetition::isOverlap)
                            .filter(pair -> !pair.isBySilence(
                                    account, account.silences().leastNanos()))
                            .forEach(pair -> found.add(pair.toString()));
                }
            }
            return found;
        }
    },

    /** No attempt starts before the due time that was set last. */
    NEVER_EARLY {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            for (JobAccount job : account.jobs()) {
                job.attempts.stream()
                        .filter(attempt -> attempt.startedMicros() < attempt.dueMillis() * 1_000)
                        .forEach(attempt -> found.add("%s: %s, %d us early"
                                .formatted(job, attempt, attempt.dueMillis() * 1_000 - attempt.startedMicros())));
                for (Reschedule answer : job.reschedules) {
                    if (answer.result() == ChangeResult.CHANGED) {
                        job.attempts.stream()
                                .filter(attempt -> attempt.startedNanos() > answer.answeredNanos())
                                .filter(attempt -> attempt.startedMicros() < answer.dueMillis() * 1_000)
                                .forEach(attempt -> found.add("%s: %s, then %s".formatted(job, answer, attempt)));
                    }
                }
            }
            return found;
        }
    },

    /** A partition has one leader. A former leader is allowed if it cannot know yet that its lease has ended. */
    ONE_LEADER {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            Map<String, List<Lead>> byPartition = new TreeMap<>();
            account.leads()
                    .forEach(lead -> byPartition
                            .computeIfAbsent(lead.partition(), partition -> new ArrayList<>())
                            .add(lead));
            byPartition.values().forEach(leads -> {
                for (Lead first : leads) {
                    for (Lead second : leads) {
                        if (first.fromNanos() < second.fromNanos() && overlap(account, first, second)) {
                            found.add("%s and %s".formatted(first, second));
                        }
                    }
                }
            });
            return found;
        }

        private boolean overlap(Account account, Lead first, Lead second) {
            long from = second.fromNanos();
            long until = Math.min(first.untilNanos(), second.untilNanos());
            if (first.worker().equals(second.worker()) || until - from < TOLD_LATE.toNanos()) {
                return false;
            }
            return account.silences().longestWithout(first.worker(), from, until) >= TOLD_LATE.toNanos();
        }
    };

    /** Maximum time until a busy process writes the loss of a lease to its ledger. */
    private static final Duration TOLD_LATE = Duration.ofMillis(500);

    abstract List<String> violations(Account account);

    static Map<Check, List<String>> violationsIn(Account account) {
        Map<Check, List<String>> found = new EnumMap<>(Check.class);
        for (Check check : values()) {
            List<String> violations = check.violations(account);
            if (!violations.isEmpty()) {
                found.put(check, violations);
            }
        }
        return found;
    }
}
