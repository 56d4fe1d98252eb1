package io.delayjob.test;

import io.delayjob.handler.RateLimit;
import io.delayjob.job.JobExtras;
import io.delayjob.job.NewJob;
import io.delayjob.job.Scheduled;
import io.delayjob.store.ClusterView;
import io.delayjob.store.DueSink;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobStore;
import io.delayjob.store.Vitals;
import io.delayjob.time.EngineClock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A variant of the protocol with one broken rule, and the check that must notice it. */
enum Mutant {
    NO_CLAIM(Check.ONE_CLAIM, done(BrokenRule.NO_CLAIM)),
    CLAIM_WITHOUT_TOKEN(Check.ENDS, done(BrokenRule.CLAIM_WITHOUT_TOKEN)),
    CURSOR_WITHOUT_SWEEP(Check.ENDS, done(BrokenRule.CURSOR_WITHOUT_SWEEP)),
    COMPLETION_BY_STATE_ONLY(Check.OWN_COMPLETION, done(BrokenRule.COMPLETION_BY_STATE_ONLY)),
    BLIND_CANCEL(Check.CANCEL_TELLS_TRUTH, done(BrokenRule.BLIND_CANCEL)),
    UNKNOWN_CLAIMS_NOT_RELEASED(Check.ENDS, asked(BrokenRule.UNKNOWN_CLAIMS_NOT_RELEASED)),
    UNKNOWN_ENDS_NOT_REPEATED(Check.ENDS, asked(BrokenRule.UNKNOWN_ENDS_NOT_REPEATED)),
    ANSWER_IGNORES_THE_RUN(Check.EXACTLY_N, done(BrokenRule.ANSWER_IGNORES_THE_RUN)),
    ANSWER_RAISES_NO_DOUBT(Check.CANCEL_TELLS_TRUTH, done(BrokenRule.ANSWER_RAISES_NO_DOUBT)),
    FOLLOWER_AFTER_THE_END(Check.CHAIN_GOES_ON, asked(BrokenRule.FOLLOWER_AFTER_THE_END)),
    FOLLOWER_OF_A_REFUSED_END(Check.CHAIN_GOES_ON, done(BrokenRule.FOLLOWER_OF_A_REFUSED_END)),
    MEMBER_NOT_COUNTED(Check.GROUP_ENDS_ONCE, done(BrokenRule.MEMBER_NOT_COUNTED)),
    GROUP_ENDS_TWICE(Check.GROUP_ENDS_ONCE, done(BrokenRule.GROUP_ENDS_TWICE)),
    RESCHEDULED_UNDER_OLD_TOKEN(ClusterKind.CALM, Check.CLAIMED_IN_TIME, done(BrokenRule.RESCHEDULED_UNDER_OLD_TOKEN)),

    /** A new leader does not read which jobs run. */
    MUTEXES_OF_RUNNING_JOBS_NOT_READ(
            ClusterKind.MUTEXES, Check.MUTEX_HELD_ONCE, asked(BrokenRule.MUTEXES_OF_RUNNING_JOBS_NOT_READ)),

    /** Rows that are adopted have lost their mutex on the way. */
    MUTEX_NOT_READ_BY_SWEEPS(ClusterKind.MUTEXES, Check.MUTEX_HELD_ONCE, asked(BrokenRule.MUTEX_NOT_READ_BY_SWEEPS)),

    /** Rows that a sweep finds have lost the key of their rate, so another leader may start them, too. */
    RATE_KEY_NOT_READ_BY_SWEEPS(
            ClusterKind.KEY_RATE, Check.KEY_RATE_HELD, asked(BrokenRule.RATE_KEY_NOT_READ_BY_SWEEPS)),

    /** Claimed jobs have lost their expiry, so an instance starts them however late. */
    EXPIRY_NOT_READ_BY_CLAIMS(ClusterKind.EXPIRY, Check.NOT_AFTER_EXPIRY, asked(BrokenRule.EXPIRY_NOT_READ_BY_CLAIMS)),

    /** The earliest possible store time decides about expiry, although the store's replies may be slow. */
    EXPIRY_BY_EARLIEST_TIME(ClusterKind.EXPIRY, Check.NOT_AFTER_EXPIRY, () -> new Mutation() {
        @Override
        public EngineClock atClock(EngineClock clock) {
            return new EarliestTime(clock);
        }
    }),

    /** Each of three instances uses the whole rate, as if their leases did not divide it. */
    RATE_NOT_DIVIDED(ClusterKind.RATE, Check.RATE_HELD, () -> new Mutation() {
        @Override
        public RateLimit partOf(RateLimit rate) {
            return new RateLimit(3 * rate.starts(), rate.unit(), 3 * rate.burst());
        }
    }),

    /** All rows are written with the same fair key, so the jobs of a handler start in the order of their due times. */
    ONE_FAIR_KEY_FOR_ALL(ClusterKind.TURNS, Check.TURNS_TAKEN, stored(store -> new ForwardingStore(store) {
        @Override
        public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
            return super.submit(jobs.stream().map(Mutant::ofEverybody).toList(), committed);
        }
    })),

    /** Jobs of handlers that state a time of keeping are deleted before this time is over. */
    KEPT_TOO_SHORT(ClusterKind.KEEPING, Check.KEPT_LONG_ENOUGH, stored(store -> new ForwardingStore(store) {
        @Override
        public int purgeKept(Instant now, int limit) {
            return super.purgeKept(now.plusSeconds(20), limit);
        }
    })),

    /** Jobs of handlers that state a time of keeping are never deleted. */
    KEPT_FOR_EVER(ClusterKind.KEEPING, Check.REMOVED_IN_TIME, stored(store -> new ForwardingStore(store) {
        @Override
        public int purgeKept(Instant now, int limit) {
            return 0;
        }
    })),

    /** A new leader does not read which jobs use up the limit. */
    LIMITED_JOBS_NOT_READ(ClusterKind.LIMIT, Check.CLUSTER_LIMIT_HELD, asked(BrokenRule.LIMITED_JOBS_NOT_READ)),

    /** A new leader reads which jobs use up the limit, but takes them for ended a second later. */
    LIMITED_JOBS_NOT_AWAITED(ClusterKind.LIMIT, Check.CLUSTER_LIMIT_HELD, asked(BrokenRule.LIMITED_JOBS_NOT_AWAITED)),

    /**
     * The sweep finds rows that were passed on in vain. So only the time of starts in a cluster without faults shows
     * this fault.
     */
    HAND_OVER_BEFORE_COMMIT(ClusterKind.CALM, Check.ON_TIME, asked(BrokenRule.HAND_OVER_BEFORE_COMMIT)),

    /**
     * A lease belongs to the machine, as by ShedLock's default, and not to the process. A renewal that comes late must
     * meet the lease of another instance, which a cluster with other faults rarely brings about.
     */
    HOST_NAME_AS_LEASE_OWNER(ClusterKind.PAUSES, Check.ONE_LEADER, () -> new Mutation() {
        @Override
        public String leaseHolder(String incarnation) {
            return "the-host";
        }
    }),

    /** Due times use the machine's wall clock, which is wrong by hours on some machines. */
    APPLICATION_CLOCK(Check.NEVER_EARLY, () -> new Mutation() {
        @Override
        public JobStore atStore(JobStore store, Machine machine) {
            return new ForwardingStore(store) {
                @Override
                public long clockMicros() {
                    return machine.wallMillis() * 1_000;
                }

                @Override
                public InstanceStore instances() {
                    return new ForwardingInstances(target.instances()) {
                        @Override
                        public OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals) {
                            OptionalLong micros = target.beat(number, stopping, vitals);
                            return micros.isPresent() ? OptionalLong.of(clockMicros()) : micros;
                        }
                    };
                }
            };
        }
    }),

    /**
     * An instance is treated as lost when its last heartbeat is older than a liveness by the wall clock of the
     * observer.
     */
    RESCUE_WITHOUT_OWN_CLOCK(Check.SILENT_BEFORE_LOST, HeartbeatTimes::new),

    /**
     * An instance that was not registered at the last look is treated as lost, without another read of the register.
     */
    RESCUE_BY_AN_OLD_REGISTER(Check.NO_DUPLICATE, () -> new Mutation() {
        @Override
        public JobStore atEngine(JobStore store, Machine machine) {
            return new ForwardingStore(store) {
                @Override
                public InstanceStore instances() {
                    return new ForwardingInstances(target.instances()) {
                        @Override
                        public List<InstanceRow> list() {
                            return List.of();
                        }
                    };
                }
            };
        }
    }),

    /** An instance that was given up does not learn this, and continues under its old number. */
    GIVEN_UP_GOES_ON(Check.NO_DUPLICATE, () -> new Mutation() {
        @Override
        public JobStore atStore(JobStore store, Machine machine) {
            return new ForwardingStore(store) {
                @Override
                public InstanceStore instances() {
                    return new ForwardingInstances(target.instances()) {
                        @Override
                        public OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals) {
                            OptionalLong micros = target.beat(number, stopping, vitals);
                            return micros.isPresent() ? micros : OptionalLong.of(clockMicros());
                        }
                    };
                }
            };
        }
    });

    private final ClusterKind kind;

    /** The check that must notice the broken rule. */
    final Check check;

    private final Supplier<Mutation> mutation;

    Mutant(ClusterKind kind, Check check, Supplier<Mutation> mutation) {
        this.kind = kind;
        this.check = check;
        this.mutation = mutation;
    }

    Mutant(Check check, Supplier<Mutation> mutation) {
        this(ClusterKind.TROUBLED, check, mutation);
    }

    /** The store breaks the rule for all instances, and the judge sees what the store does. */
    private static Supplier<Mutation> done(BrokenRule rule) {
        return stored(rule::spoil);
    }

    private static Supplier<Mutation> stored(UnaryOperator<JobStore> spoiled) {
        return () -> new Mutation() {
            @Override
            public JobStore atStore(JobStore store, Machine machine) {
                return spoiled.apply(store);
            }
        };
    }

    /** The engines request the broken behaviour from the store. */
    private static Supplier<Mutation> asked(BrokenRule rule) {
        return () -> new Mutation() {
            @Override
            public JobStore atEngine(JobStore store, Machine machine) {
                return rule.spoil(store);
            }
        };
    }

    private static NewJob ofEverybody(NewJob job) {
        String extras = JobExtras.parse(job.extras()).withFairKey("everybody").toText();
        return job.with(job.task().withExtras(extras));
    }

    Simulation.Outcome simulate(long seed) {
        return simulate(seed, mutation.get());
    }

    /** The same course without a broken rule. */
    Simulation.Outcome unbroken(long seed) {
        return simulate(seed, Mutation.NONE);
    }

    private Simulation.Outcome simulate(long seed, Mutation how) {
        return Simulation.of(kind, seed, how);
    }

    /** A register with a column for the time of the last heartbeat. */
    private static final class HeartbeatTimes implements Mutation {

        private static final long LIVENESS_MILLIS = 10_000;

        private final Map<Long, Long> beatenMillis = new HashMap<>();

        @Override
        public JobStore atEngine(JobStore store, Machine machine) {
            InstanceStore register = new ForwardingInstances(store.instances()) {
                @Override
                public OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals) {
                    OptionalLong micros = target.beat(number, stopping, vitals);
                    micros.ifPresent(now -> beatenMillis.put(number, now / 1_000));
                    return micros;
                }

                @Override
                public ClusterView look(long number) {
                    ClusterView view = target.look(number);
                    view.instances().stream()
                            .filter(row -> isSilent(row, machine))
                            .forEach(row -> target.remove(row.number(), row.beats()));
                    return view;
                }
            };
            return new ForwardingStore(store) {
                @Override
                public InstanceStore instances() {
                    return register;
                }
            };
        }

        private boolean isSilent(InstanceRow row, Machine machine) {
            long beaten = beatenMillis.getOrDefault(row.number(), machine.wallMillis());
            return machine.wallMillis() - beaten > LIVENESS_MILLIS;
        }
    }
}
