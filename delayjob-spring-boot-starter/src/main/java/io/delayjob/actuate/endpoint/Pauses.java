package io.delayjob.actuate.endpoint;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Job;
import io.delayjob.job.Paused;
import java.util.Set;

/** Tells which jobs wait because of a pause. If a handler is paused, jobs with any name of this handler wait. */
record Pauses(Paused paused, HandlerRegistry handlers) {

    boolean hold(Handler handler) {
        return paused.holdsHandler(handler.names()) || paused.holdsQueue(handler.queue());
    }

    boolean hold(Job job) {
        Handler handler = handlers.find(job.name());
        return !job.state().isEnded()
                && (paused.holdsHandler(handler == null ? Set.of(job.name()) : handler.names())
                        || paused.holdsQueue(job.partition().queue()));
    }
}
