package io.delayjob.client;

import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.Stated;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request that schedules a job or a chain. Immutable.
 *
 * @param id the id of the job, if the caller states an id
 */
record RemoteRequest(Map<String, Object> fields, @Nullable JobId id) {

    static RemoteRequest of(String name) {
        return new RemoteRequest(Map.of("name", name), null);
    }

    RemoteRequest withId(JobId newId) {
        return new RemoteRequest(fields, newId);
    }

    RemoteRequest with(String field, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(fields);
        more.put(field, value);
        return new RemoteRequest(Collections.unmodifiableMap(more), id);
    }

    RemoteRequest after(Duration delay) {
        return with(
                "after", Stated.notNull(delay, "delay", "must be zero or more").toString());
    }

    RemoteRequest at(Instant instant) {
        return with(
                "at",
                Stated.notNull(instant, "instant", "must be a time; one in the past makes the job due at once")
                        .toString());
    }

    RemoteRequest repeat(Repeat schedule) {
        return with(
                "repeat",
                Stated.notNull(schedule, "schedule", "must say when to run, such as Repeat.every(period)")
                        .toText());
    }

    boolean changesByKey() {
        return Stream.of(OnExisting.REPLACE, OnExisting.POSTPONE)
                .anyMatch(change -> change.name().equals(fields.get("ifExists")));
    }

    void checkWaiting(String group) {
        if (fields.containsKey("key")) {
            throw new IllegalArgumentException(
                    "Invalid job '%s' that follows group '%s': must not have a key, because no caller would notice that another job has taken the key; leave out the key."
                            .formatted(text("name"), group));
        }
        if (fields.containsKey("group")) {
            throw new IllegalArgumentException(
                    "Invalid job '%s' that follows group '%s': must not be a member of group '%s', because a group cannot contain another group; leave out one of the two groups."
                            .formatted(text("name"), group, text("group")));
        }
    }

    String text(String field) {
        return String.valueOf(fields.get(field));
    }
}
