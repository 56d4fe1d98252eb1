package io.delayjob.jdbc;

import io.delayjob.job.NewJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Divides many new jobs into parts, because the length and the duration of a statement are limited. */
final class BatchParts {

    /** Length of the values that each job has: the ids, the token, the times and the names of the columns. */
    private static final int USUAL_LENGTH = 400;

    private BatchParts() {}

    /** @param maxLength maximum number of characters of a part; a longer job has a part of its own */
    static List<List<NewJob>> of(List<NewJob> jobs, int maxLength) {
        List<List<NewJob>> parts = new ArrayList<>();
        long left = 0;
        for (NewJob job : jobs) {
            int length = length(job);
            left -= length;
            if (left < 0) {
                parts.add(new ArrayList<>());
                left = maxLength - length;
            }
            parts.get(parts.size() - 1).add(job);
        }
        return parts;
    }

    private static int length(NewJob job) {
        return USUAL_LENGTH
                + Stream.of(job.key(), job.payload(), job.schedule(), job.retry(), job.trace(), job.extras())
                        .filter(Objects::nonNull)
                        .mapToInt(String::length)
                        .sum();
    }
}
