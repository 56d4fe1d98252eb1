package io.delayjob;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import org.jspecify.annotations.Nullable;

/** The objects that all steps of scheduling use. Thread-safe. */
record Scheduling(
        HandlerRegistry handlers,
        MethodReferenceReader references,
        Payloads payloads,
        Planner planner,
        JobWriter writer) {

    /**
     * Returns the draft with its payload, and with the mutex that its handler gives a job with these arguments.
     *
     * @param handler the handler, if it is known here
     */
    Draft filled(Draft draft, @Nullable Handler handler, @Nullable String payload) {
        Draft filled = draft.withPayload(payload);
        return handler == null || handler.mutex() == null
                ? filled
                : filled.withMutex(payloads.mutexOf(handler, handler.mutex(), payload));
    }
}
