package io.delayjob.test;

/** The rules that every simulation checks. */
enum Check {
    NOTHING_LOST("a committed job is there, and has run or was recorded as skipped, failed or cancelled"),
    ONLY_COMMITTED_RUNS("what was rolled back or never scheduled does not run"),
    CLAIMED_IN_TIME("in calm, nothing is claimed sooner before its due time than the claim lead"),
    CLAIMED_BEFORE_START("an instance starts only what it has claimed"),
    ONE_CLAIM("a row is claimed only while nobody else's claim of it stands"),
    STARTS_ONCE("a claim starts at most once, and so does an attempt's number"),
    STARTS_WHILE_HELD("nothing starts whose claim was given up"),
    NEVER_EARLY("nothing starts before its due time, by the store's clock"),
    NOTHING_AFTER_CANCEL("nothing starts, and nothing is claimed, after cancel said so"),
    CANCEL_TELLS_TRUTH("no attempt is under way when cancel answers CANCELLED"),
    OWN_COMPLETION("the end of an attempt ends no other attempt"),
    CHAIN_GOES_ON("a chain's next job is written exactly once if the job before it has finished, and otherwise never"),
    GROUP_ENDS_ONCE("the job after a group is written exactly once, when all members have ended and no sooner"),
    EXACTLY_N("a finite sequence is completed, or recorded as skipped, exactly its number of times"),
    NO_DUPLICATE("a run is repeated only after a failure, or because of a fault of the instance that had it"),
    NO_OVERLAP("attempts of a job overlap only when one was written off, or its instance was silent for its liveness"),
    MUTEX_HELD_ONCE("attempts of one mutex overlap only when the instance of one was silent for its liveness"),
    CLUSTER_LIMIT_HELD(
            "no more attempts of a limited handler run than its limit, but for instances silent for their liveness"),
    RATE_HELD("within any time, no more attempts of a handler start than its rate and burst allow, and one for each"
            + " instance"),
    KEY_RATE_HELD("within any time, no more attempts of a key start than its rate and burst allow, and one more"),
    NOT_AFTER_EXPIRY("nothing starts after its job has expired, by the store's clock"),
    TURNS_TAKEN("in calm, while the first job of a fair key waits, each other key has at most one turn"),
    KEPT_LONG_ENOUGH("no ended job is deleted before its time of keeping is over, by the store's clock"),
    REMOVED_IN_TIME("in calm, an ended job is deleted within a minute after its time of keeping"),
    AT_MOST_ONCE("an AT_MOST_ONCE run starts once"),
    SILENT_BEFORE_LOST("an instance is given up only after a liveness period of silence that a fault explains"),
    ONE_LEADER("no two instances lead a partition at a time"),
    ON_TIME("in calm, attempts start within a tick + 10 ms"),
    ENDS("every job ends within a bounded time after the last fault"),
    RECOVERS("what a dead instance was running is claimed again within liveness + 1 s");

    private final String text;

    Check(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return name() + " (" + text + ")";
    }
}
