package io.delayjob.proofs.chaos;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.JobState;
import io.delayjob.proofs.chaos.Account.Cancel;
import io.delayjob.proofs.chaos.Account.JobAccount;
import io.delayjob.proofs.chaos.AnswersAccount.Told;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Properties that a round must have if its jobs await answers. Such a round must also have some of the properties in
 * {@link Check}.
 */
enum AnswerCheck {
    /**
     * The work of each run was written exactly once. If the job has not finished, the work of a run was written at most
     * once.
     */
    EACH_RUN_ACCEPTED_ONCE {
        @Override
        List<String> violations(AnswersAccount account) {
            List<String> found = new ArrayList<>();
            for (JobAccount job : account.jobs()) {
                boolean finished = job.row != null && job.row.state() == JobState.FINISHED;
                Map<Integer, Long> work = account.work(job);
                boolean once = work.values().stream().allMatch(count -> count == 1);
                if (!once || finished && work.size() != job.kind().runs()) {
                    found.add("%s, %s: work by run: %s".formatted(job, job.row, work));
                }
            }
            return found;
        }
    },

    /**
     * Every answer after a cancellation gets CANCELLED. If a cancelled job was answered, at least one answer gets
     * CANCELLED.
     */
    CANCELLED_JOBS_ARE_TOLD {
        @Override
        List<String> violations(AnswersAccount account) {
            List<String> found = new ArrayList<>();
            for (JobAccount job : account.jobs()) {
                long cancelled = cancelledNanos(job);
                for (Told told : account.told(job)) {
                    if (told.askedNanos() > cancelled && told.result() != AnswerResult.CANCELLED) {
                        found.add("%s: cancelled at %d, then %s".formatted(job, cancelled, told));
                    }
                }
                if (job.row != null
                        && job.row.state() == JobState.CANCELLED
                        && !account.told(job).isEmpty()
                        && account.told(job).stream().noneMatch(told -> told.result() == AnswerResult.CANCELLED)) {
                    found.add(
                            "%s was cancelled, but no answer was told CANCELLED: %s".formatted(job, account.told(job)));
                }
            }
            return found;
        }

        private long cancelledNanos(JobAccount job) {
            return job.cancels.stream()
                    .filter(cancel -> cancel.result() == CancelResult.CANCELLED
                            || cancel.result() == CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT)
                    .mapToLong(Cancel::answeredNanos)
                    .min()
                    .orElse(Account.NEVER);
        }
    };

    /** An answer may end a run during an attempt, or after the job was rescued. Even then, these checks hold. */
    private static final Set<Check> OF_ALL_JOBS = EnumSet.of(
            Check.NOTHING_LOST,
            Check.NOTHING_FROM_NOWHERE,
            Check.NO_START_AFTER_CANCEL,
            Check.NO_ATTEMPT_HIDDEN_BY_CANCEL,
            Check.NO_ATTEMPT_TWICE,
            Check.EACH_RUN_ENDS_ONCE,
            Check.NEVER_EARLY);

    abstract List<String> violations(AnswersAccount account);

    static Map<String, List<String>> violationsIn(AnswersAccount account) {
        Map<String, List<String>> found = new TreeMap<>();
        for (Check check : OF_ALL_JOBS) {
            found.put(check.name(), check.violations(account.account()));
        }
        for (AnswerCheck check : values()) {
            found.put(check.name(), check.violations(account));
        }
        found.values().removeIf(List::isEmpty);
        return found;
    }
}
