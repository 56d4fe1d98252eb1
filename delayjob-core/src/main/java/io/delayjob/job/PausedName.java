package io.delayjob.job;

/**
 * A handler or a queue that is paused.
 *
 * @param note author, time and reason of the pause
 */
public record PausedName(Kind kind, String name, PauseNote note) {

    /** The kinds of things that can be paused. */
    public enum Kind {
        HANDLER,
        QUEUE
    }
}
