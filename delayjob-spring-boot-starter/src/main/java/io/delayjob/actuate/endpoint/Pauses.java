package io.delayjob.actuate.endpoint;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Job;
import io.delayjob.job.Paused;
import java.util.Set;

/** Tells whom a pause holds: a handler is paused under each of its names, and whatever lies in a paused queue. */
record Pauses(Paused paused, HandlerRegistry handlers) {

    boolean hold(Handler handler) {
        return paused.holdsHandler(handler.names()) || paused.holdsQueue(handler.queue());
    }

    /** Whether its next attempt waits for somebody to resume its handler or its queue. */
    boolean hold(Job job) {
        Handler handler = handlers.find(job.name());
        return !job.state().isEnded()
                && (paused.holdsHandler(handler == null ? Set.of(job.name()) : handler.names())
                        || paused.holdsQueue(job.partition().queue()));
    }
}
