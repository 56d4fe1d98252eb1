package io.delayjob.benchmarks.durable;

/** When the server answers a commit. */
enum Commits {
    /** Once it is durable, as an installation does by default: the server's own setting. */
    DURABLE("commits are durable when they are answered", ""),

    /**
     * Before it is durable: a crash of the server forgets the last of them, claims among them, so that a job might run
     * twice at once. No contender's documentation recommends it; it tells how much of a lateness is the disk's.
     */
    ASYNCHRONOUS(
            "commits are asynchronous (synchronous_commit=off): a crash of the server forgets the last",
            "-c synchronous_commit=off");

    private final String description;
    private final String connectionOptions;

    Commits(String description, String connectionOptions) {
        this.description = description;
        this.connectionOptions = connectionOptions;
    }

    /** In one line, what was acknowledged when. */
    String description() {
        return description;
    }

    /** What each connection tells the server as it opens. */
    String connectionOptions() {
        return connectionOptions;
    }
}
