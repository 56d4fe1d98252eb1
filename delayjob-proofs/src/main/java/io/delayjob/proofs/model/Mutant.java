package io.delayjob.proofs.model;

/**
 * A rule of the protocol that is broken, and the property that must reveal this. The module's constant {@code Mutant}
 * is set to the rule's name.
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
    ONLY_LEADERS_RESCUE("Progress", "only leaders rescue", "EveryCommittedJobEnds");

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
