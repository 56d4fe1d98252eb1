package io.delayjob.store;

/** The fate of an acknowledged write when something fails. */
public enum Durability {
    /** The write is lost with this process. */
    PROCESS("jobs are lost when this process ends"),

    /**
     * The write outlives this process, but a crash or failover of the server may lose the latest acknowledged writes.
     */
    SERVER("a crash or failover of the store's server may lose the latest jobs"),

    /**
     * The write outlives this process, and replicas have it. A failover to one of these replicas loses no acknowledged
     * write.
     */
    REPLICAS("jobs survive a failover to a replica that has confirmed them"),

    /** The write survives crashes of this process, and crashes of the server if the server is configured for that. */
    DISK("jobs survive crashes");

    private final String meaning;

    Durability(String meaning) {
        this.meaning = meaning;
    }

    /** Returns words for messages that say what this durability means for jobs. */
    public String meaning() {
        return meaning;
    }
}
