package io.delayjob;

import io.delayjob.handler.Handler;
import io.delayjob.job.ClaimKeys;
import io.delayjob.job.GroupRef;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Stated;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The checked properties of a new job whose time is not stated yet. Immutable.
 *
 * @param id {@code null} if delayjob creates the id
 */
record Draft(
        @Nullable JobId id,
        String name,
        String queue,
        @Nullable String payload,
        @Nullable String key,
        OnExisting onExisting,
        @Nullable String retry,
        JobExtras extras) {

    Draft {
        if (id != null && (onExisting == OnExisting.REPLACE || onExisting == OnExisting.POSTPONE)) {
            throw new IllegalArgumentException(
                    "Invalid job id %s: must come without %s, because the job that has the key would keep its own id, and a repeated call would not find it; leave out the id, or use KEEP or FAIL."
                            .formatted(id, onExisting));
        }
        if (extras.groupName() != null && onExisting == OnExisting.REPLACE) {
            throw new IllegalArgumentException(
                    "Invalid group '%s' of a job '%s' with REPLACE: must come without REPLACE, because the job that has the key would keep its own group; use KEEP, POSTPONE or FAIL."
                            .formatted(extras.groupName(), name));
        }
    }

    static Draft of(Handler handler) {
        return of(handler, handler.name());
    }

    static Draft of(Handler handler, String name) {
        return new Draft(null, name, handler.queue(), null, null, OnExisting.KEEP, null, JobExtras.NONE);
    }

    /** Creates a draft for a handler that this application does not have. */
    static Draft named(String name) {
        return new Draft(
                null, Texts.checkName(name), Handler.DEFAULT_QUEUE, null, null, OnExisting.KEEP, null, JobExtras.NONE);
    }

    Draft withId(JobId newId) {
        return new Draft(newId, name, queue, payload, key, onExisting, retry, extras);
    }

    Draft withPayload(@Nullable String payload) {
        return new Draft(id, name, queue, payload, key, onExisting, retry, extras);
    }

    Draft withKey(@Nullable Object key, OnExisting onExisting) {
        Stated.notNull(onExisting, "OnExisting", "must be KEEP, REPLACE, POSTPONE or FAIL");
        return new Draft(id, name, queue, payload, Texts.checkKey(name, key), onExisting, retry, extras);
    }

    Draft withQueue(String queue) {
        return new Draft(id, name, Handler.checkQueue(queue), payload, key, onExisting, retry, extras);
    }

    Draft withRetry(RetryPolicy policy) {
        Stated.notNull(policy, "retry policy", "must be a RetryPolicy; leave it out for the policy of the handler");
        return new Draft(id, name, queue, payload, key, onExisting, policy.toText(), extras);
    }

    Draft withExpiresAfter(Duration expiresAfter) {
        Duration checked = Handler.checkExpiresAfter(expiresAfter, "of a job '" + name + "'");
        return new Draft(id, name, queue, payload, key, onExisting, retry, extras.withExpiresAfter(checked));
    }

    Draft withMutex(@Nullable Object mutex) {
        String text = ClaimKeys.checkMutex(Texts.textOf("mutex", name, mutex));
        return new Draft(id, name, queue, payload, key, onExisting, retry, extras.withMutex(text));
    }

    Draft withRateKey(@Nullable Object rateKey) {
        String text = ClaimKeys.checkRateKey(Texts.textOf("rate key", name, rateKey));
        return new Draft(id, name, queue, payload, key, onExisting, retry, extras.withRateKey(text));
    }

    Draft withFairKey(@Nullable Object fairKey) {
        String text = ClaimKeys.checkFairKey(Texts.textOf("fair key", name, fairKey));
        return new Draft(id, name, queue, payload, key, onExisting, retry, extras.withFairKey(text));
    }

    Draft withFairKeyOf(@Nullable Object fairKey) {
        return fairKey == null ? this : withFairKey(fairKey);
    }

    Draft withLabel(String label) {
        return new Draft(id, name, queue, payload, key, onExisting, retry, extras.withLabel(label));
    }

    Draft withGroup(String group) {
        JobExtras changed = extras.withGroupName(GroupRef.checkName(group));
        return new Draft(id, name, queue, payload, key, onExisting, retry, changed);
    }

    /** The group's id is only a proposal: if the group exists already, the store uses the existing id. */
    Draft in(GroupRef group) {
        return new Draft(id, name, queue, payload, key, onExisting, retry, extras.withGroup(group));
    }

    Draft following(String group) {
        if (key != null) {
            throw new IllegalArgumentException(
                    "Invalid job '%s' that follows group '%s': must not have a key, because no caller would notice that another job has taken the key; leave out the key."
                            .formatted(name, GroupRef.checkName(group)));
        }
        if (extras.groupName() != null) {
            throw new IllegalArgumentException(
                    "Invalid job '%s' that follows group '%s': must not be a member of group '%s', because a group cannot contain another group; leave out one of the two groups."
                            .formatted(name, GroupRef.checkName(group), extras.groupName()));
        }
        JobExtras changed = extras.followingGroup(GroupRef.checkName(group));
        return new Draft(id, name, queue, payload, null, onExisting, retry, changed);
    }
}
