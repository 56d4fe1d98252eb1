package io.delayjob.redis;

import io.delayjob.store.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

/** Translates errors of Redis and of its client to {@link StoreException}s. */
final class RedisErrors {

    /**
     * Matches temporary errors of a server. Such a server is a replica or becomes one, is starting, or has no free
     * memory. Or it cannot write its file, lacks replicas, runs a long script, or moves slots. If a command within a
     * script has failed, the text of its error may begin with "-". The error of a killed script also counts as
     * temporary. Such a script has written nothing, because the server does not kill a script that has already written
     * data.
     */
    private static final Pattern PASSING = Pattern.compile(
            "(?:^|-)(?:READONLY|LOADING|CLUSTERDOWN|TRYAGAIN|OOM|MISCONF|"
                    + "BUSY|MASTERDOWN|NOREPLICAS|MOVED|ASK|UNKILLABLE|ERR max number of clients)\\b|Script killed by user");

    private RedisErrors() {}

    /**
     * @param doing the work under way, such as "claiming jobs"
     */
    static StoreException translate(String doing, Throwable thrown) {
        Throwable error = thrown;
        while ((error instanceof ExecutionException || error instanceof CompletionException)
                && error.getCause() != null) {
            error = error.getCause();
        }
        if (error instanceof StoreException known) {
            return known;
        }
        String reason = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
        if (isPassing(error)) {
            return StoreException.unavailable(
                    "Redis could not finish %s now (%s): the same call may succeed later.".formatted(doing, reason),
                    error);
        }
        if (!(error instanceof RedisCommandExecutionException)) {
            return StoreException.unavailable(
                    "Redis gave no answer while %s (%s): it is unknown whether the call was carried out."
                            .formatted(doing, reason),
                    error);
        }
        return StoreException.refused(
                "Redis failed while %s (%s): the same call will be refused again.".formatted(doing, reason), error);
    }

    /** Tells whether a master of a cluster has refused a command, because another master has the slot. */
    static boolean isRedirection(Throwable thrown) {
        Throwable error =
                thrown instanceof ExecutionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        String message = error.getMessage();
        return error instanceof RedisCommandExecutionException
                && message != null
                && (message.startsWith("MOVED") || message.startsWith("ASK"));
    }

    /**
     * Tells whether the call was not carried out and may succeed later. This holds in two cases: the server has said
     * that it did not execute the call, or the server cannot be reached.
     */
    private static boolean isPassing(Throwable error) {
        String message = error.getMessage();
        return error instanceof RedisConnectionException
                || error instanceof RedisCommandExecutionException
                        && message != null
                        && PASSING.matcher(message).find();
    }
}
