package io.delayjob.job;

/**
 * A handler or a queue that is paused.
 *
 * @param kind which of both
 * @param name its name
 * @param note who paused it, when and why
 */
public record PausedName(Kind kind, String name, PauseNote note) {

    /** What can be paused. */
    public enum Kind {
        HANDLER,
        QUEUE
    }
}
