package io.delayjob.redis;

import io.delayjob.store.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

final class RedisErrors {

    /**
     * Temporary errors of a server. If a command of a script failed, a "-" may stand before the name of the error. A
     * killed script has written nothing, because the server does not kill a script after its first write. If a master
     * becomes a replica, a {@code WAIT} ends with {@code UNBLOCKED}, or is refused.
     */
    private static final Pattern PASSING =
            Pattern.compile("(?:^|-)(?:READONLY|LOADING|CLUSTERDOWN|TRYAGAIN|OOM|MISCONF|"
                    + "BUSY|MASTERDOWN|NOREPLICAS|MOVED|ASK|UNKILLABLE|UNBLOCKED|ERR WAIT cannot be used with replica"
                    + "|ERR max number of clients)\\b|Script killed by user");

    private RedisErrors() {}

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

    static boolean isRedirection(Throwable thrown) {
        Throwable error =
                thrown instanceof ExecutionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        String message = error.getMessage();
        return error instanceof RedisCommandExecutionException
                && message != null
                && (message.startsWith("MOVED") || message.startsWith("ASK"));
    }

    private static boolean isPassing(Throwable error) {
        String message = error.getMessage();
        return error instanceof RedisConnectionException
                || error instanceof RedisCommandExecutionException
                        && message != null
                        && PASSING.matcher(message).find();
    }
}
