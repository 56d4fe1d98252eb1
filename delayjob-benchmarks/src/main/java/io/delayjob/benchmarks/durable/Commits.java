package io.delayjob.benchmarks.durable;

/** Says when the server answers a commit. */
enum Commits {
    /**
     * The server answers a commit only when the commit is durable. This value is the default setting of an installed
     * server.
     */
    DURABLE("commits are durable when they are answered", ""),

    /**
     * The server answers a commit before it is durable. A crash of the server loses the last commits, including claims,
     * so a job might run twice at the same time. No contender's documentation recommends this setting. This value shows
     * how much of the lateness comes from the disk.
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

    String description() {
        return description;
    }

    String connectionOptions() {
        return connectionOptions;
    }
}
