package io.delayjob.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Texts that would run, turn the page around or burst it, wherever a user of the application can put a text. */
final class HostileScene extends Scene {

    static final String SCRIPT =
            "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">";

    static final String RIGHT_TO_LEFT = "\u202egnp.eciovni\u202c שלום";

    static final String LONG = "k".repeat(10_000);

    @Override
    Map<String, Object> failures(Instant since, Instant until) {
        Map<String, Object> failures = super.failures(since, until);
        @SuppressWarnings("unchecked")
        List<Map<String, Object>> groups = (List<Map<String, Object>>) failures.get("groups");
        groups.get(0).putAll(json("name", SCRIPT, "error", LONG, "message", SCRIPT + RIGHT_TO_LEFT + LONG));
        return failures;
    }

    @Override
    Map<String, Object> groups() {
        Map<String, Object> groups = super.groups();
        @SuppressWarnings("unchecked")
        List<Map<String, Object>> unended = (List<Map<String, Object>>) groups.get("groups");
        unended.get(0).put("name", SCRIPT);
        unended.get(1).put("name", RIGHT_TO_LEFT + LONG.substring(0, 100));
        return groups;
    }

    @Override
    Map<String, Object> handlers() {
        Map<String, Object> handlers = super.handlers();
        @SuppressWarnings("unchecked")
        List<Map<String, Object>> list = (List<Map<String, Object>>) handlers.get("handlers");
        list.get(0).put("name", SCRIPT);
        list.get(1).putAll(json("name", RIGHT_TO_LEFT, "queue", LONG.substring(0, 500)));
        handlers.put(
                "unhandled",
                List.of(
                        json("name", LONG.substring(0, 500), "jobs", 3, "precision", "EXACT", "oldestDue", BEGIN),
                        json("name", "not-due-yet", "jobs", 7, "precision", "EXACT")));
        return handlers;
    }

    @Override
    List<Map<String, Object>> instances(Instant now) {
        List<Map<String, Object>> instances = super.instances(now);
        @SuppressWarnings("unchecked")
        Map<String, Object> vitals = (Map<String, Object>) instances.get(0).get("vitals");
        vitals.put("longestRunning", json("id", SceneJobs.RETRYING, "name", LONG.substring(0, 100), "since", BEGIN));
        return instances;
    }

    @Override
    Map<String, Object> session(boolean mayChange) {
        Map<String, Object> session = super.session(mayChange);
        session.putAll(json("user", SCRIPT, "application", SCRIPT, "environment", LONG.substring(0, 300)));
        return session;
    }

    @Override
    SceneJobs jobs() {
        return new SceneJobs() {
            @Override
            List<Map<String, Object>> unfinished(Instant now) {
                List<Map<String, Object>> jobs = super.unfinished(now);
                jobs.get(0).putAll(json("name", SCRIPT, "key", LONG));
                jobs.get(1).putAll(json("key", RIGHT_TO_LEFT, "queue", SCRIPT));
                jobs.get(4).putAll(json("name", RIGHT_TO_LEFT, "key", SCRIPT));
                return jobs;
            }

            @Override
            Map<String, Object> retrying() {
                Map<String, Object> details = super.retrying();
                @SuppressWarnings("unchecked")
                Map<String, Object> job = (Map<String, Object>) details.get("job");
                job.putAll(json(
                        "name",
                        SCRIPT,
                        "key",
                        LONG,
                        "error",
                        SCRIPT,
                        "payload",
                        "{\"id\":12345678901234567890,\"html\":\"" + SCRIPT.replace("\"", "\\\"") + "\"}"));
                details.remove("payloadHidden");
                details.put("stackTrace", SCRIPT + "\n\tat " + RIGHT_TO_LEFT + "\n" + LONG);
                return details;
            }
        };
    }
}
