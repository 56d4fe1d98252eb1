package io.delayjob.rest;

import io.delayjob.JobGroup;
import io.delayjob.NamedJobs;
import io.delayjob.job.GroupRef;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The jobs and groups that callers may see. For callers, a name that is not exposed does not exist.
 *
 * @param exposure tells whether the name of a handler or target is exposed
 * @param groupExposure tells whether the name of a group is exposed
 */
record ExposedJobs(NamedJobs jobs, Predicate<String> exposure, Predicate<String> groupExposure) {

    String name(String name) {
        if (!exposure.test(name)) {
            throw Problem.NOT_FOUND.of(
                    "No handler '%s' is exposed here: correct the name, or expose it (delayjob.rest.exposure.include)."
                            .formatted(name));
        }
        return name;
    }

    /** Also refuses every name if the job store keeps no groups. */
    JobGroup group(String name) {
        if (!groupExposure.test(name)) {
            throw Problem.NOT_FOUND.of(
                    "No group '%s' is exposed here: correct the name, or expose it (delayjob.rest.exposure.groups)."
                            .formatted(name));
        }
        return jobs.group(GroupRef.checkForPaths(name));
    }

    boolean hasGroup(String name) {
        return groupExposure.test(name) && GroupRef.isForPaths(name);
    }

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
