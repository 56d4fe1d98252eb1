package io.delayjob.proofs.chaos;

import io.delayjob.proofs.chaos.Account.Attempt;
import io.delayjob.proofs.chaos.Account.JobAccount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Properties that every round of jobs with limits must have, in addition to those of {@link Check}. */
enum LimitCheck {
    /**
     * No two attempts with the same mutex run at the same time. If a process may seem dead to other processes, its
     * attempts are not counted.
     */
    MUTEX_HELD_ONCE {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            byMutex(account)
                    .forEach((mutex, attempts) -> Crowd.of(1, attempts, account.silences()).violations().stream()
                            .map(crowd -> mutex + ": " + crowd)
                            .forEach(found::add));
            return found;
        }
    },

    /**
     * A handler never has more attempts at a time than its limit. If a process may seem dead to other processes, its
     * attempts are not counted.
     */
    CLUSTER_LIMIT_HELD {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            Limits.concurrency()
                    .forEach((kind, limit) ->
                            Crowd.of(limit, attemptsOf(account, kind), account.silences()).violations().stream()
                                    .map(crowd -> kind + ": " + crowd)
                                    .forEach(found::add));
            return found;
        }
    },

    /**
     * In each second and each minute, at most burst plus rate attempts start, plus one attempt for each process. If the
     * rate has keys, the maximum is burst plus rate plus two attempts. This maximum does not depend on the number of
     * processes.
     */
    RATE_NOT_EXCEEDED {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            for (RatedStarts starts : RatedStarts.all(account)) {
                for (Duration length : List.of(SECOND, MINUTE)) {
                    starts.windows(length).stream()
                            .filter(window -> window.starts() > starts.allowed(length, window.processes()))
                            .forEach(window -> found.add("%s: %s in %s, of at most %d"
                                    .formatted(starts, window, length, starts.allowed(length, window.processes()))));
                }
            }
            return found;
        }
    },

    /** In each minute without faults and with enough waiting jobs, nearly as many attempts start as the rate allows. */
    RATE_USED {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            for (RatedStarts starts : RatedStarts.all(account)) {
                starts.calmMinutes().stream()
                        .filter(minute -> minute.starts() < USED * starts.inAMinute())
                        .forEach(minute -> found.add("%s: only %s".formatted(starts, minute)));
            }
            return found;
        }
    },

    /**
     * If the leader must know a waiting job of a small tenant, only a few jobs of the big tenant start before this job.
     * {@link TenantTurn#MOST_OVERTAKEN} is the maximum.
     */
    TENANTS_TAKE_TURNS {
        @Override
        List<String> violations(Account account) {
            return TenantTurn.all(account).stream()
                    .filter(turn -> turn.overtaken() > TenantTurn.MOST_OVERTAKEN)
                    .map(TenantTurn::toString)
                    .toList();
        }
    },

    /** A job that follows other jobs starts only after all of them have ended. */
    FOLLOWS_THE_END {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            for (JobAccount job : account.jobs()) {
                long started = job.attempts.isEmpty()
                        ? Account.NEVER
                        : job.attempts.get(0).startedNanos();
                account.followedBy(job).stream()
                        .filter(first -> started < endedNanos(first))
                        .forEach(first -> found.add("%s started before the end of %s".formatted(job, first)));
            }
            return found;
        }

        /**
         * Returns {@link Account#NEVER} if the job has not ended. Returns the earliest possible time if the job has
         * ended without a successful attempt.
         */
        private long endedNanos(JobAccount job) {
            if (job.row == null || !job.row.state().isEnded()) {
                return Account.NEVER;
            }
            return job.attempts.stream()
                    .filter(attempt -> job.accepted.stream()
                            .anyMatch(end -> end.endedItsRun() && end.attempt() == attempt.number()))
                    .mapToLong(Attempt::endedNanos)
                    .max()
                    .orElse(Long.MIN_VALUE);
        }
    },

    /** If nothing keeps a due job waiting, the job starts soon. Starts shortly after a fault are not checked. */
    NOTHING_STUCK {
        @Override
        List<String> violations(Account account) {
            List<String> found = new ArrayList<>();
            Map<String, List<Attempt>> waitTogether = new TreeMap<>();
            for (JobAccount job : account.jobs()) {
                waitTogether
                        .computeIfAbsent(limitOf(job), unused -> new ArrayList<>())
                        .addAll(job.attempts);
            }
            waitTogether.forEach((limit, attempts) -> {
                NavigableSet<Long> events = new TreeSet<>();
                attempts.forEach(attempt -> events.addAll(List.of(attempt.startedNanos(), attempt.endedNanos())));
                for (Attempt attempt : attempts) {
                    long start = attempt.startedNanos();
                    Long latest = events.lower(start);
                    long waited = start - (latest == null ? attempt.dueNanos() : Math.max(attempt.dueNanos(), latest));
                    if (waited > STUCK.toNanos() && account.silences().isCalm(start - STUCK.toNanos(), start)) {
                        found.add("%s: %s waited %d ms, and nothing happened meanwhile"
                                .formatted(
                                        limit, attempt, Duration.ofNanos(waited).toMillis()));
                    }
                }
            });
            return found;
        }

        private String limitOf(JobAccount job) {
            if (job.kind == null || !Limits.has(job.kind)) {
                return "job " + job.number;
            }
            String mutex = Limits.mutexOf(job.kind, job.number);
            String rateKey = Limits.rateKeyOf(job.kind, job.number);
            return mutex != null ? mutex : rateKey != null ? rateKey : job.kind.name();
        }
    };

    static final Duration SECOND = Duration.ofSeconds(1);
    static final Duration MINUTE = Duration.ofMinutes(1);

    /** Maximum time until a due job starts on a busy machine, if no other job keeps it waiting. */
    private static final Duration STUCK = Duration.ofSeconds(10);

    private static final double USED = 0.95;

    abstract List<String> violations(Account account);

    static Map<LimitCheck, List<String>> violationsIn(Account account) {
        Map<LimitCheck, List<String>> found = new EnumMap<>(LimitCheck.class);
        for (LimitCheck check : values()) {
            List<String> violations = check.violations(account);
            if (!violations.isEmpty()) {
                found.put(check, violations);
            }
        }
        return found;
    }

    static Map<String, List<Attempt>> byMutex(Account account) {
        Map<String, List<Attempt>> all = new TreeMap<>();
        account.jobs().stream().filter(job -> job.kind != null).forEach(job -> {
            String mutex = Limits.mutexOf(job.kind(), job.number);
            if (mutex != null) {
                all.computeIfAbsent(mutex, unused -> new ArrayList<>()).addAll(job.attempts);
            }
        });
        return all;
    }

    static List<Attempt> attemptsOf(Account account, Kind kind) {
        return account.jobs().stream()
                .filter(job -> job.kind == kind)
                .flatMap(job -> job.attempts.stream())
                .toList();
    }
}
