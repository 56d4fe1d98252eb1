package io.delayjob.test;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobProgress;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DuePage;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobGroups;
import io.delayjob.store.JobStore;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the protocol that is broken by a store which does not do what the engine requests. So it shows whether a
 * check notices a broken rule. Used by the simulation, and by the proofs with real processes.
 */
public enum BrokenRule {
    /** A row is passed to the wheel when it is written, and not when it is committed. */
    HAND_OVER_BEFORE_COMMIT {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
                    List<Scheduled> written = super.submit(jobs, DueSink.NONE);
                    committed.accept(jobs.stream().map(NewJob::toDueRow).toList());
                    return written;
                }
            };
        }
    },

    /** Every instance that has a row in memory starts its job, without a claim. */
    NO_CLAIM {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
                    return rows.stream()
                            .map(row -> super.find(row.id()))
                            .flatMap(Optional::stream)
                            .filter(job -> job.state() == JobState.DELAYED)
                            .map(job -> ownedBy(job, owner))
                            .toList();
                }
            };
        }
    },

    /** A claim takes a waiting row even if it has changed since it was read. */
    CLAIM_WITHOUT_TOKEN {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
                    List<DueRow> asTheyAre = rows.stream()
                            .map(row -> super.find(row.id()))
                            .flatMap(Optional::stream)
                            .filter(job -> job.state() == JobState.DELAYED)
                            .map(Job::toDueRow)
                            .toList();
                    return super.claim(asTheyAre, owner, freshToken, now);
                }
            };
        }
    },

    /** A cancellation does not check whether an attempt is under way. */
    BLIND_CANCEL {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public CancelResult cancel(JobId id, Instant now) {
                    CancelResult result = super.cancel(id, now);
                    return result == CancelResult.RUNNING ? CancelResult.CANCELLED : result;
                }
            };
        }
    },

    /** The end of an attempt is accepted whenever the job is running, even if another attempt runs. */
    COMPLETION_BY_STATE_ONLY {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public List<CompletionResult> complete(List<Completion> completions) {
                    return super.complete(completions.stream()
                            .map(completion -> super.find(completion.job().id())
                                    .filter(job -> job.state() == JobState.RUNNING)
                                    .map(job -> fencedBy(job.token(), completion))
                                    .orElse(completion))
                            .toList());
                }
            };
        }
    },

    /** A claim that got no reply is treated as failed. */
    UNKNOWN_CLAIMS_NOT_RELEASED {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
                    return List.of();
                }
            };
        }
    },

    /** No sweep finds rows that the cursors of the window reader have missed. */
    CURSOR_WITHOUT_SWEEP {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public DuePage<DueRow> overdue(
                        Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
                    return DuePage.none();
                }
            };
        }
    },

    /** A reschedule does not set a fresh token, so an older version of the row still counts as valid. */
    RESCHEDULED_UNDER_OLD_TOKEN {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed) {
                    long token = super.find(id).map(Job::token).orElse(freshToken);
                    return super.reschedule(id, due, token, committed);
                }
            };
        }
    },

    /** The answer "done" for a run is accepted although a later run has begun. */
    ANSWER_IGNORES_THE_RUN {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public AnswerResult answer(
                        JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed) {
                    return super.answer(
                            id,
                            job -> {
                                Completion fitting = end.apply(job);
                                for (int run = job.run() - 1; fitting == null && run > 0; run--) {
                                    fitting = end.apply(job.atRun(run, job.plannedAt()));
                                }
                                return fitting;
                            },
                            committed);
                }
            };
        }
    },

    /** An answer does not raise inDoubt although the handler of the attempt still runs. */
    ANSWER_RAISES_NO_DOUBT {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public AnswerResult answer(
                        JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed) {
                    return super.answer(id, job -> withoutDoubt(end.apply(job)), committed);
                }
            };
        }
    },

    /** The next job of a chain is written after the end of the job before it, and not together with it. */
    FOLLOWER_AFTER_THE_END {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public List<CompletionResult> complete(List<Completion> completions) {
                    List<CompletionResult> results = super.complete(
                            completions.stream().map(BrokenRule::withoutChain).toList());
                    submitFollowers(target, completions, results, CompletionResult.ACCEPTED);
                    return results;
                }
            };
        }
    },

    /** The next job of a chain is written although the end of the job before it was refused. */
    FOLLOWER_OF_A_REFUSED_END {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public List<CompletionResult> complete(List<Completion> completions) {
                    List<CompletionResult> results = super.complete(completions);
                    submitFollowers(target, completions, results, CompletionResult.FENCED);
                    return results;
                }
            };
        }
    },

    /** The running rows that a new leader reads have no mutex. */
    MUTEXES_OF_RUNNING_JOBS_NOT_READ {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public DuePage<ClaimedRow> claimedByOthers(
                        Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
                    DuePage<ClaimedRow> page = super.claimedByOthers(cursors, until, known, limit);
                    return new DuePage<>(
                            page.rows().stream()
                                    .map(row -> new ClaimedRow(withoutKeys(row.row()), row.owner()))
                                    .toList(),
                            page.next());
                }
            };
        }
    },

    /** The rows that a sweep finds have no mutex. */
    MUTEX_NOT_READ_BY_SWEEPS {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public DuePage<DueRow> overdue(
                        Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
                    DuePage<DueRow> page = super.overdue(cursors, until, names, limit, lookAt);
                    return new DuePage<>(
                            page.rows().stream().map(BrokenRule::withoutKeys).toList(), page.next());
                }
            };
        }
    },

    /** The rows that a sweep finds have no key of a rate. */
    RATE_KEY_NOT_READ_BY_SWEEPS {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public DuePage<DueRow> overdue(
                        Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
                    DuePage<DueRow> page = super.overdue(cursors, until, names, limit, lookAt);
                    return new DuePage<>(
                            page.rows().stream().map(BrokenRule::withoutKeys).toList(), page.next());
                }
            };
        }
    },

    /** Claimed jobs expire only after a year. */
    EXPIRY_NOT_READ_BY_CLAIMS {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
                    return super.claim(rows, owner, freshToken, now).stream()
                            .map(BrokenRule::expiringLate)
                            .toList();
                }
            };
        }
    },

    /** The running rows that a new leader reads are of another handler. */
    LIMITED_JOBS_NOT_READ {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public DuePage<ClaimedRow> claimedByOthers(
                        Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
                    return renamed(super.claimedByOthers(cursors, until, known, limit));
                }
            };
        }
    },

    /** A look at running rows that are known finds rows of another handler. */
    LIMITED_JOBS_NOT_AWAITED {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public DuePage<ClaimedRow> claimedByOthers(
                        Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
                    DuePage<ClaimedRow> page = super.claimedByOthers(cursors, until, known, limit);
                    boolean fromTheStart = cursors.stream().anyMatch(cursor -> cursor.dueMillis() == Long.MIN_VALUE);
                    return fromTheStart ? page : renamed(page);
                }
            };
        }
    },

    /** Some members are written and not counted. */
    MEMBER_NOT_COUNTED {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
                    return super.submit(
                            jobs.stream()
                                    .map(job -> job.token() % 2 == 0 ? BrokenRule.withoutGroup(job) : job)
                                    .toList(),
                            committed);
                }
            };
        }
    },

    /** A fold does not look whether the job after a group was written before. */
    GROUP_ENDS_TWICE {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public JobGroups groups() {
                    return new ForwardingGroups(target.groups()) {
                        @Override
                        public boolean fold(
                                Instant now, long freshToken, DueSink committed, Consumer<GroupStatus> ended) {
                            List<DueRow> rows = new ArrayList<>();
                            boolean more = super.fold(now, freshToken, rows::addAll, ended);
                            committed.accept(rows);
                            rows.forEach(row -> store.submit(List.of(BrokenRule.secondOf(row, now)), committed));
                            return more;
                        }
                    };
                }
            };
        }
    },

    /** An end that got no reply is treated as written. */
    UNKNOWN_ENDS_NOT_REPEATED {
        @Override
        public JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public List<CompletionResult> complete(List<Completion> completions) {
                    try {
                        return super.complete(completions);
                    } catch (StoreException unanswered) {
                        return Collections.nCopies(completions.size(), CompletionResult.ACCEPTED);
                    }
                }
            };
        }
    };

    /** Returns a store for the engine that breaks this rule. */
    public abstract JobStore spoil(JobStore store);

    private static DuePage<ClaimedRow> renamed(DuePage<ClaimedRow> page) {
        return new DuePage<>(
                page.rows().stream()
                        .map(claimed -> new ClaimedRow(renamed(claimed.row()), claimed.owner()))
                        .toList(),
                page.next());
    }

    private static DueRow renamed(DueRow row) {
        return new DueRow(row.id(), row.partition(), "another", row.dueMillis(), row.token(), row.keys());
    }

    private static DueRow withoutKeys(DueRow row) {
        return new DueRow(row.id(), row.partition(), row.name(), row.dueMillis(), row.token(), null);
    }

    private static Job expiringLate(Job job) {
        return job.expiresAt() == null
                ? job
                : job.with(job.task()
                        .withExtras(job.extras()
                                .withExpiresAfter(Duration.ofDays(365))
                                .toText()));
    }

    private static Completion withoutChain(Completion completion) {
        Job job = completion.job();
        return new Completion(
                job.with(job.task().withExtras(job.extras().withoutChain().toText())),
                completion.outcome(),
                completion.next(),
                completion.freshToken(),
                completion.endedAt(),
                completion.failure(),
                completion.keep(),
                completion.log(),
                completion.inDoubtChange());
    }

    private static NewJob secondOf(DueRow row, Instant now) {
        UUID id = row.id().value();
        return new NewJob(
                new JobId(new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits() ^ 1)),
                row.partition(),
                JobTask.of(row.name()),
                JobPlan.once(now, now),
                OnExisting.KEEP,
                row.token());
    }

    private static NewJob withoutGroup(NewJob job) {
        String extras = JobExtras.parse(job.extras()).withGroup(null).toText();
        return job.with(job.task().withExtras(extras));
    }

    private static void submitFollowers(
            JobStore store, List<Completion> ends, List<CompletionResult> results, CompletionResult after) {
        for (int i = 0; i < ends.size(); i++) {
            NewJob follower = ends.get(i).follower();
            boolean isNew = follower != null && store.find(follower.id()).isEmpty();
            if (isNew && results.get(i) == after) {
                store.submit(List.of(follower), DueSink.NONE);
            }
        }
    }

    private static @Nullable Completion withoutDoubt(@Nullable Completion end) {
        return end == null
                ? null
                : new Completion(
                        end.job(),
                        end.outcome(),
                        end.next(),
                        end.freshToken(),
                        end.endedAt(),
                        end.failure(),
                        end.keep(),
                        end.log());
    }

    private static Job ownedBy(Job job, long owner) {
        return with(job, job.token(), owner);
    }

    private static Completion fencedBy(long token, Completion completion) {
        return new Completion(
                with(completion.job(), token, completion.job().owner()),
                completion.outcome(),
                completion.next(),
                completion.freshToken(),
                completion.endedAt(),
                completion.failure(),
                completion.keep(),
                completion.log());
    }

    private static Job with(Job job, long token, long owner) {
        JobProgress was = job.progress();
        return job.with(
                new JobProgress(JobState.RUNNING, token, owner, was.startedAt(), was.cancelRequested(), was.counts())
                        .awaiting(was.awaiting()));
    }
}
