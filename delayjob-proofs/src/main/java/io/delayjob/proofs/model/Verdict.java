package io.delayjob.proofs.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The result of TLC.
 *
 * @param violated property that does not hold; {@code null} if all properties hold
 * @param trace actions that lead to the violation
 * @param distinct number of different states
 * @param depth number of actions from the first state to the farthest state; 0 if the search ended early
 * @param taken how often each action was taken; empty if TLC did not count the actions
 */
record Verdict(
        @Nullable String violated,
        List<String> trace,
        long states,
        long distinct,
        int depth,
        String took,
        Map<String, Long> taken) {

    private static final Pattern HOLDS = Pattern.compile("(?m)^Model checking completed\\. No error has been found\\.");
    private static final Pattern VIOLATED =
            Pattern.compile("(?m)^Error: (?:Invariant|Action property) (\\w+) is violated");
    private static final Pattern TEMPORAL = Pattern.compile("(?m)^Error: Temporal properties were violated");
    private static final Pattern TEMPORAL_NAME = Pattern.compile("(?m)^PROPERTIES\\s+(\\w+)\\s*\\z");
    private static final Pattern STEP = Pattern.compile("(?m)^State \\d+: (?:<(\\w+) line.*>|(Stuttering))$");
    private static final Pattern BACK = Pattern.compile("(?m)^Back to state (\\d+)");
    private static final Pattern STATES =
            Pattern.compile("(?m)^(\\d+) states generated, (\\d+) distinct states found, \\d+ states left on queue\\.");
    private static final Pattern DEPTH = Pattern.compile("depth of the complete state graph search is (\\d+)\\.");
    private static final Pattern TOOK = Pattern.compile("(?m)^Finished in (.*) at ");
    private static final Pattern TAKEN = Pattern.compile("(?m)^<(\\w+) line .*>: \\d+:(\\d+)$");

    static Verdict of(Configuration configuration, String output) {
        Matcher counted = STATES.matcher(output);
        Matcher depth = DEPTH.matcher(output);
        Matcher took = TOOK.matcher(output);
        String violated = violated(configuration, output);
        if (!counted.find()
                || !took.find()
                || (violated == null && !HOLDS.matcher(output).find())) {
            throw new IllegalStateException(
                    "TLC came to no verdict on module %s:%n%s".formatted(configuration.module(), output));
        }
        return new Verdict(
                violated,
                trace(output),
                Long.parseLong(counted.group(1)),
                Long.parseLong(counted.group(2)),
                depth.find() ? Integer.parseInt(depth.group(1)) : 0,
                took.group(1),
                taken(output));
    }

    /**
     * TLC does not name a violated temporal property. Therefore, the name of the property comes from the configuration.
     */
    private static @Nullable String violated(Configuration configuration, String output) {
        Matcher named = VIOLATED.matcher(output);
        if (named.find()) {
            return named.group(1);
        }
        if (!TEMPORAL.matcher(output).find()) {
            return null;
        }
        Matcher only = TEMPORAL_NAME.matcher(configuration.text());
        return only.find() ? only.group(1) : "one of the temporal properties";
    }

    private static List<String> trace(String output) {
        List<String> steps = new ArrayList<>(STEP.matcher(output)
                .results()
                .map(step -> step.group(1) == null ? "(nothing more)" : step.group(1))
                .toList());
        BACK.matcher(output)
                .results()
                .findFirst()
                .ifPresent(back -> steps.add("(again from state " + back.group(1) + ")"));
        return List.copyOf(steps);
    }

    private static Map<String, Long> taken(String output) {
        Map<String, Long> times = new LinkedHashMap<>();
        for (MatchResult action : TAKEN.matcher(output).results().toList()) {
            if (!action.group(1).equals("Init")) {
                times.put(action.group(1), Long.parseLong(action.group(2)));
            }
        }
        return times;
    }

    @Override
    public String toString() {
        String size = "%,d states, %,d of them distinct, depth %d, %s".formatted(states, distinct, depth, took);
        return violated == null
                ? size + ": every property holds"
                : "%s: %s is violated by %s".formatted(size, violated, String.join(" -> ", trace));
    }
}
