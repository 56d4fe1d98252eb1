package io.delayjob.proofs.model;

/**
 * A rule of the protocol that is broken on purpose, and the property that must reveal the broken rule. The name is the
 * value of the constant {@code Mutant} in the TLA+ module.
 */
enum Mutant {
    NO_CLAIM("Jobs", "no claim", "TokenStartsOnce"),
    CLAIM_WITHOUT_TOKEN("Jobs", "claim without token", "RunningRowIsRemembered"),
    COMPLETION_THAT_CHECKS_THE_STATE_ONLY("Jobs", "completion that checks the state only", "CompletionEndsOnlyItsOwn"),
    BLIND_CANCEL("Jobs", "blind cancel", "NoStartAfterCleanCancel"),
    APPLICATION_CLOCK("Jobs", "application clock instead of store clock", "NeverEarly"),
    HAND_OVER_BEFORE_COMMIT("Jobs", "hand-over before commit", "OnlyCommittedRowsInMemory"),
    UNKNOWN_CLAIMS_NOT_RELEASED("Jobs", "unknown claims not released", "RunningRowIsRemembered"),
    RESCUE_WITHOUT_OWN_CLOCK("Jobs", "rescue without the observer's own clock", "OverlapOnlyAfterSilence"),
    RESCUE_THAT_DOES_NOT_LOOK_AGAIN("Jobs", "rescue that does not look again", "OverlapOnlyAfterSilence"),
    RESCUE_WITHOUT_DOUBT("Jobs", "rescue without doubt", "NoStartAfterCleanCancel"),
    DOUBT_SETTLED_BY_AN_ECHO("Jobs", "doubt settled by an echo", "CleanCancelLeavesNothingInFlight"),
    ANSWER_IGNORES_THE_RUN("Jobs", "answer ignores the run", "EachRunIsAcceptedOnce"),
    ANSWER_RAISES_NO_DOUBT("Jobs", "answer raises no doubt", "DoubtIsNeverTooLow"),
    START_WITHOUT_A_LOOK("Jobs", "start without a look at the heartbeat", "OverlapOnlyAfterSilence"),

    SILENCE_BY_WALL_CLOCK("Silence", "rescue without the observer's own clock", "SilentMeansDistrusted"),
    SILENCE_WHILE_DEAF("Silence", "silence goes on while the observer hears nothing", "WellMeansRegistered"),
    REMOVAL_THAT_DOES_NOT_LOOK_AGAIN("Silence", "removal that does not look again", "SilentMeansDistrusted"),
    TRUST_FROM_THE_ANSWER("Silence", "trust counts from the answer", "SilentMeansDistrusted"),
    ANSWER_THAT_SLEPT("Silence", "an answer that slept on its way counts", "SilentMeansDistrusted"),

    HOST_NAME_AS_LEASE_OWNER("Leases", "host name as lease owner", "OneLeader"),
    LEASE_TRUSTED_FROM_ITS_ANSWER("Leases", "a lease is trusted from its answer on", "OneLeader"),
    LEASE_TRUSTED_TO_ITS_END("Leases", "a lease is trusted for as long as it lasts", "OneLeader"),

    CURSOR_WITHOUT_SWEEP("Progress", "cursor without sweep", "EveryCommittedJobEnds"),
    NO_ADOPTION("Progress", "no adoption", "EveryCommittedJobEnds"),
    CLAIMS_NEVER_RELEASED("Progress", "unknown claims not released", "EveryCommittedJobEnds"),
    ONLY_LEADERS_RESCUE("Progress", "only leaders rescue", "EveryCommittedJobEnds"),

    RUNNING_ROWS_NOT_READ("Limits", "a new leader does not read the running rows", "LimitIsKept"),
    READ_OF_AN_EARLIER_LEASE("Limits", "a read counts for leases that began after it", "LimitIsKept"),
    CLAIM_UNDER_ANY_LEASE("Limits", "a claim counts under any lease", "OverlapsOnlyWithoutItsRow"),
    LEASE_NOTED_LATE("Limits", "the lease of a claim is noted after the decision", "OverlapsOnlyWithoutItsRow"),
    START_WITHOUT_LEASE("Limits", "a start does not look at the leases", "LimitIsKept"),
    NO_BLOCKED_SLOTS("Limits", "rows that run elsewhere block no slot", "LimitIsKept"),
    NO_LOOK_FOR_ENDS("Limits", "nobody looks for the end of rows that run elsewhere", "EveryLimitedJobEnds"),

    BURST_FOR_EACH_LEADER("Rates", "a new leader begins with a burst", "KeyRateIsKept"),
    TOKENS_AT_ANY_TIME("Rates", "the first token does not come at a fixed time", "KeyRateIsKept"),
    TOKEN_OF_AN_EARLIER_LEASE("Rates", "a start does not look at the lease of its token", "KeyRateIsKept"),

    ADDITION_WITHOUT_LOCK("Groups", "additions without a lock", "EndMeansAllEnded"),
    COUNTS_READ_BEFORE_THE_LOCK("Groups", "the counts are read before the group is locked", "EndMeansAllEnded"),
    PART_PROVES_THE_END("Groups", "a part of the counts proves the end", "EndMeansAllEnded"),
    FULL_PAGE_IS_A_PART("Groups", "a full page counts as a part", "ClosedGroupEnds"),
    ENDS_COUNTED_LATER("Groups", "ends are counted after their commit", "CountsAreTrue"),
    TWO_FOLDS("Groups", "two folds at a time", "CountsAreTrue"),
    UNREAD_COUNTS_DELETED("Groups", "a fold deletes counts that it has not read", "CountsAreTrue"),
    FOLLOWER_WRITTEN_LATER("Groups", "the job that follows is written in another transaction", "FollowerIsWrittenOnce"),
    FOLLOWER_OF_A_CANCELLED_GROUP("Groups", "a cancelled group keeps the job that follows", "FollowerIsWrittenOnce"),
    PURGE_IGNORES_COUNTS("Groups", "a purge does not look for counts", "PurgeLeavesMembersAlone");

    private final String module;
    private final String rule;
    private final String property;

    Mutant(String module, String rule, String property) {
        this.module = module;
        this.rule = rule;
        this.property = property;
    }

    String module() {
        return module;
    }

    String rule() {
        return rule;
    }

    String property() {
        return property;
    }
}
