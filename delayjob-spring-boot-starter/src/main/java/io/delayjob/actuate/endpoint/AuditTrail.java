package io.delayjob.actuate.endpoint;

import io.delayjob.job.JobId;
import io.delayjob.job.Printable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/** Logs and publishes each change that a person makes. Thread-safe. */
final class AuditTrail {

    static final String TYPE = "DELAYJOB_CHANGE";

    /** An application may store events. */
    static final int MAX_JOBS = 100;

    private static final Logger log = LoggerFactory.getLogger(AuditTrail.class);

    /** @param target {@code job}, {@code handler}, {@code queue}, {@code group} or {@code selection} */
    record Change(String action, String target, String name, Map<String, Object> detail) {

        static Change of(String action, String target, String name) {
            return new Change(action, target, name, Map.of());
        }

        @Override
        public String toString() {
            String text = Printable.of(name);
            String subject = switch (target) {
                case "job" -> "Job " + text;
                case "selection" -> "Jobs (" + text + ")";
                default -> "%s%s '%s'".formatted(Character.toUpperCase(target.charAt(0)), target.substring(1), text);
            };
            return "%s: '%s'%s"
                    .formatted(subject, action, detail.isEmpty() ? "" : " " + Printable.of(detail.toString()));
        }
    }

    record Outcome(String says, Map<String, Object> data) {

        static Outcome of(Object result) {
            return new Outcome(result.toString(), Map.of("result", result.toString()));
        }

        static Outcome of(List<JobId> changed, int skipped, boolean hasMore) {
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("result", changed.isEmpty() ? "UNCHANGED" : "CHANGED");
            data.put("changed", changed.size());
            data.put("skipped", skipped);
            data.put(
                    "jobs",
                    changed.stream().limit(MAX_JOBS).map(JobId::toString).toList());
            return new Outcome(
                    "%d changed, %d skipped%s".formatted(changed.size(), skipped, hasMore ? ", more to come" : ""),
                    data);
        }
    }

    private final ApplicationEventPublisher events;
    private final @Nullable String store;

    /** @param store {@code null} if there is only one */
    AuditTrail(ApplicationEventPublisher events, @Nullable String store) {
        this.events = events;
        this.store = store;
    }

    /**
     * An {@link IllegalArgumentException} is not reported. Any other failure is reported, because the failure may occur
     * after the change.
     */
    <R> R of(Caller caller, Change change, Supplier<R> made, Function<R, Outcome> outcome) {
        R result;
        try {
            result = made.get();
        } catch (IllegalArgumentException refused) {
            throw refused;
        } catch (RuntimeException failure) {
            tell(caller, change, new Outcome("failed (" + failure.getMessage() + ")", Map.of("result", "UNKNOWN")));
            throw failure;
        }
        tell(caller, change, outcome.apply(result));
        return result;
    }

    private void tell(Caller caller, Change change, Outcome outcome) {
        log.info(
                "Change through the 'delayjobs' endpoint: {}{} by {}. The result: {}.",
                change,
                store == null ? "" : " in store '" + store + "'",
                Printable.of(caller.toString()),
                Printable.of(outcome.says));
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("action", change.action);
        if (store != null) {
            data.put(StoreViews.STORE, store);
        }
        data.put(change.target, change.name);
        data.putAll(change.detail);
        data.putAll(outcome.data);
        try {
            events.publishEvent(new AuditApplicationEvent(new AuditEvent(caller.principal(), TYPE, data)));
        } catch (RuntimeException fault) {
            // The change is already made.
            log.warn(
                    "A listener of audit events threw an exception. delayjob ignores it, so the change that the "
                            + "event reports still takes effect.",
                    fault);
        }
    }
}
