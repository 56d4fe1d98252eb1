package io.delayjob.benchmarks.durable;

/** Whether commits are durable when the server answers them. */
enum Commits {
    /** This is the default of an installed server. */
    DURABLE("commits are durable when they are answered", ""),

    /**
     * A crash loses the last commits, so a job might run twice at the same time. No contender recommends this setting.
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
