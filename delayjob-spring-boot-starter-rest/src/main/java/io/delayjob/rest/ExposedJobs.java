package io.delayjob.rest;

import io.delayjob.NamedJobs;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The jobs that callers may see. To a caller, a job whose name is not exposed does not exist.
 *
 * @param exposure tells whether a name is exposed
 */
record ExposedJobs(NamedJobs jobs, Predicate<String> exposure) {

    /** Returns the name of a handler if that name is exposed, otherwise refuses it. */
    String name(String name) {
        if (!exposure.test(name)) {
            throw Problem.NOT_FOUND.of(
                    "No handler '%s' is exposed here: correct the name, or expose it (delayjob.rest.exposure.include)."
                            .formatted(name));
        }
        return name;
    }

    /** Returns the job of an id if its name is exposed, otherwise refuses it. */
    Job job(String text) {
        return id(text).flatMap(jobs::find)
                .filter(job -> exposure.test(job.name()))
                .orElseThrow(() -> gone(text));
    }

    static Problem.Refusal gone(String id) {
        return Problem.NOT_FOUND.of(
                "Job %s does not exist, its history has been purged, or its name is not exposed.".formatted(id));
    }

    private static Optional<JobId> id(String text) {
        try {
            return Optional.of(JobId.parse(text));
        } catch (IllegalArgumentException noId) {
            return Optional.empty();
        }
    }
}
