package io.delayjob.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** An application that has just started for the first time, without a job. */
final class EmptyScene extends Scene {

    @Override
    Map<String, Object> pulse(Instant now, Instant after, boolean wheel) {
        Map<String, Object> pulse = super.pulse(now, after, wheel);
        pulse.put(
                "jobs",
                json(
                        "DELAYED",
                        0,
                        "READY",
                        0,
                        "RUNNING",
                        0,
                        "AWAITING",
                        0,
                        "FINISHED",
                        0,
                        "FAILED",
                        0,
                        "CANCELLED",
                        0));
        List.of("oldestDue", "about", "wheel", "store").forEach(pulse::remove);
        pulse.put("paused", json("handlers", List.of(), "queues", List.of()));
        pulse.putAll(json("starts", List.of(), "events", List.of()));
        return pulse;
    }

    @Override
    List<Map<String, Object>> instances(Instant now) {
        Map<String, Object> instance = super.instances(now).get(1);
        instance.remove("vitals");
        return List.of(instance);
    }

    @Override
    Map<String, Object> minutes(Instant from, Instant until, Duration step) {
        Map<String, Object> minutes = super.minutes(from, until, step);
        List.of("starts", "succeeded", "retried", "failed", "late", "handlers")
                .forEach(name -> minutes.put(name, List.of()));
        minutes.put("retention", Duration.ZERO);
        return minutes;
    }

    @Override
    Map<String, Object> due(Instant from, Duration width, int buckets) {
        return json(
                "from",
                from,
                "width",
                width,
                "lookedAt",
                0,
                "due",
                new long[buckets],
                "precision",
                List.of(),
                "handlers",
                List.of());
    }

    @Override
    Map<String, Object> failures(Instant since, Instant until) {
        return json(
                "since",
                since,
                "until",
                until,
                "width",
                Duration.ofHours(1),
                "lookedAt",
                0,
                "complete",
                true,
                "groups",
                List.of());
    }

    @Override
    Map<String, Object> groups() {
        return json("groups", List.of(), "ended", List.of());
    }

    @Override
    Map<String, Object> handlers() {
        return json(
                "handlers",
                List.of(),
                "elsewhere",
                List.of(),
                "paused",
                json("handlers", List.of(), "queues", List.of()));
    }

    @Override
    SceneJobs jobs() {
        return new SceneJobs() {
            @Override
            List<Map<String, Object>> unfinished(Instant now) {
                return List.of();
            }

            @Override
            List<Map<String, Object>> ended(Instant now) {
                return List.of();
            }
        };
    }
}
