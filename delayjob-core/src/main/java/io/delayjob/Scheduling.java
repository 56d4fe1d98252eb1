package io.delayjob;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import org.jspecify.annotations.Nullable;

record Scheduling(
        HandlerRegistry handlers,
        MethodReferenceReader references,
        Payloads payloads,
        Planner planner,
        JobWriter writer) {

    Draft filled(Draft draft, @Nullable Handler handler, @Nullable String payload) {
        Draft filled = draft.withPayload(payload);
        if (handler != null && handler.mutex() != null) {
            filled = filled.withMutex(payloads.keyOf(handler, handler.mutex(), payload));
        }
        if (handler != null && handler.rateBy() != null) {
            filled = filled.withRateKey(payloads.keyOf(handler, handler.rateBy(), payload));
        }
        if (handler != null && handler.fairBy() != null) {
            filled = filled.withFairKeyOf(payloads.keyOf(handler, handler.fairBy(), payload));
        }
        return filled;
    }
}
