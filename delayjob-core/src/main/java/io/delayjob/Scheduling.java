package io.delayjob;

import io.delayjob.handler.HandlerRegistry;

/** The objects that all steps of scheduling use. Thread-safe. */
record Scheduling(
        HandlerRegistry handlers,
        MethodReferenceReader references,
        Payloads payloads,
        Planner planner,
        JobWriter writer) {}
