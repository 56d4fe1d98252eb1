package io.delayjob.proofs.chaos;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.JobStore;
import io.delayjob.test.BrokenRule;
import io.delayjob.test.ForwardingStore;
import io.delayjob.time.EngineClock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A rule of the protocol that is broken on purpose. The checks must notice the broken rule. */
enum Mutant {
    NONE(null),

    /**
     * The owner of a lease is the machine instead of the process, as in ShedLock's default. The check of the lease's
     * age is left out, because this check alone would prevent two leaders. The mutant needs a real lock table.
     */
    HOST_NAME_AS_LEASE_OWNER(null) {
        @Override
        String leaseOwner(String incarnation) {
            return "the-host";
        }

        @Override
        EngineClock leaseClock(EngineClock clock) {
            return new StoppedClock(clock);
        }
    },

    /** Causes errors only if jobs are scheduled in transactions of a real database. */
    HAND_OVER_BEFORE_COMMIT(BrokenRule.HAND_OVER_BEFORE_COMMIT),

    /** Causes errors only if processes are stopped while their handlers run. */
    COMPLETION_BY_STATE_ONLY(BrokenRule.COMPLETION_BY_STATE_ONLY),

    /**
     * The writes of an atomic handler are committed before the outcome of its attempt. If a process is killed between
     * the two commits, the checks notice the mutant.
     */
    EFFECT_APART_FROM_ITS_END(null) {
        @Override
        JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public HandlerTransactions handlerTransactions() {
                    return (work, timeout) ->
                            complete(List.of(work.perform().end())).get(0);
                }
            };
        }
    },

    /** Causes errors only if the answer to an earlier run comes a second time. */
    ANSWER_IGNORES_THE_RUN(BrokenRule.ANSWER_IGNORES_THE_RUN),

    /**
     * An answer is committed even if its caller rolls back the transaction.
     */
    ANSWER_APART_FROM_ITS_TRANSACTION(null) {
        @Override
        JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public AnswerResult answer(
                        JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed) {
                    // Another thread, because that thread is not in the caller's transaction.
                    return CompletableFuture.supplyAsync(() -> super.answer(id, end, committed))
                            .join();
                }
            };
        }
    },

    /** The checks notice the mutant only if an answer never comes. */
    NO_DEADLINE(null) {
        @Override
        JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
                    return super.claim(
                            rows.stream().filter(row -> !isAwaiting(row)).toList(), owner, freshToken, now);
                }

                private boolean isAwaiting(DueRow row) {
                    return super.find(row.id()).filter(Job::awaiting).isPresent();
                }
            };
        }
    },

    /** After a cancellation, an answer gets NOT_AWAITED instead of CANCELLED. */
    CANCELLED_LIKE_ANSWERED(null) {
        @Override
        JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public AnswerResult answer(
                        JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed) {
                    AnswerResult result = super.answer(id, end, committed);
                    return result == AnswerResult.CANCELLED ? AnswerResult.NOT_AWAITED : result;
                }
            };
        }
    },

    MUTEX_IGNORED(null) {
        @Override
        Handler.Builder limit(Kind kind, Handler.Builder handler) {
            return super.limit(kind, handler).mutex(null);
        }
    },

    LIMIT_PER_INSTANCE(null) {
        @Override
        Handler.Builder limit(Kind kind, Handler.Builder handler) {
            return super.limit(kind, handler).scope(ConcurrencyScope.INSTANCE);
        }
    },

    /** The handler gets three times the rate, as if each of three instances used the whole rate. */
    RATE_PER_INSTANCE(null) {
        @Override
        Handler.Builder limit(Kind kind, Handler.Builder handler) {
            return tripleRate(Kind.RATE, kind, super.limit(kind, handler));
        }
    },

    /** Each key gets three times its rate, as if each of three instances decided about the key alone. */
    KEY_RATE_PER_INSTANCE(null) {
        @Override
        Handler.Builder limit(Kind kind, Handler.Builder handler) {
            return tripleRate(Kind.KEY_RATE, kind, super.limit(kind, handler));
        }
    },

    ONE_FAIR_KEY_FOR_ALL(null) {
        @Override
        Handler.Builder limit(Kind kind, Handler.Builder handler) {
            return super.limit(kind, handler).fairBy(arguments -> "everybody");
        }
    },

    /** Causes errors only if partitions get new leaders while jobs with a mutex are running. */
    MUTEXES_OF_RUNNING_JOBS_NOT_READ(BrokenRule.MUTEXES_OF_RUNNING_JOBS_NOT_READ),

    /** Causes errors only if connections are lost between a commit and its answer. */
    UNKNOWN_CLAIMS_NOT_RELEASED(BrokenRule.UNKNOWN_CLAIMS_NOT_RELEASED);

    private final @Nullable BrokenRule broken;

    Mutant(@Nullable BrokenRule broken) {
        this.broken = broken;
    }

    String leaseOwner(String incarnation) {
        return incarnation;
    }

    Handler.Builder limit(Kind kind, Handler.Builder handler) {
        return Limits.limit(kind, handler);
    }

    EngineClock leaseClock(EngineClock clock) {
        return clock;
    }

    private static Handler.Builder tripleRate(Kind rated, Kind kind, Handler.Builder handler) {
        RateLimit rate = Limits.rates().get(rated);
        return kind != rated || rate == null
                ? handler
                : handler.rate(new RateLimit(3 * rate.starts(), rate.unit(), 3 * rate.burst()));
    }

    JobStore spoil(JobStore store) {
        return broken == null ? store : broken.spoil(store);
    }
}
