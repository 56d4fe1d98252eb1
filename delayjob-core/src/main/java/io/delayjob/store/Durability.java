package io.delayjob.store;

/** Says which failures an acknowledged write survives. */
public enum Durability {
    /** The write is lost when this process ends. */
    PROCESS("jobs are lost when this process ends"),

    /** The write survives the end of this process. A crash or failover of the server may lose the latest writes. */
    SERVER("a crash or failover of the store's server may lose the latest jobs"),

    /** The write survives the end of this process, and a failover to a replica that has received it. */
    REPLICAS("jobs survive a failover to a replica that has confirmed them"),

    /** The write survives crashes of this process, and crashes of the server if the server is configured for that. */
    DISK("jobs survive crashes");

    private final String meaning;

    Durability(String meaning) {
        this.meaning = meaning;
    }

    /** Returns a phrase for use in messages. The phrase says what this durability means for jobs. */
    public String meaning() {
        return meaning;
    }
}
