package io.delayjob;

import io.delayjob.handler.HandlerRegistry;

/** The parts that the steps of scheduling have in common. Thread-safe. */
record Scheduling(
        HandlerRegistry handlers,
        MethodReferenceReader references,
        Payloads payloads,
        Planner planner,
        JobWriter writer) {}
