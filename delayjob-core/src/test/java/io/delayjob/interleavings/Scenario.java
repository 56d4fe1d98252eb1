package io.delayjob.interleavings;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;

/**
 * What is done before, by one thread, and then by several at once: calls as they are written in Java, with numbers as
 * arguments, such as {@code schedule(0, 1); cancel(0)}.
 */
public record Scenario(String before, List<String> threads) {

    /** Nothing before, and each of these by a thread. */
    public static Scenario racing(String... threads) {
        return new Scenario("", List.of(threads));
    }

    /** The same, after these calls. */
    public Scenario after(String calls) {
        return new Scenario(calls, threads);
    }

    ExecutionScenario of(Class<?> subject) {
        List<List<Actor>> parallel =
                threads.stream().map(calls -> actors(calls, subject)).toList();
        return new ExecutionScenario(actors(before, subject), parallel, List.of(), null);
    }

    private static List<Actor> actors(String calls, Class<?> subject) {
        return split(calls, ";").map(call -> actor(call, subject)).toList();
    }

    private static Actor actor(String call, Class<?> subject) {
        int parenthesis = call.indexOf('(');
        String name = call.substring(0, parenthesis);
        List<Integer> arguments = split(call.substring(parenthesis + 1, call.length() - 1), ",")
                .map(Integer::valueOf)
                .toList();
        Method method = Arrays.stream(subject.getMethods())
                .filter(candidate -> candidate.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("%s has no %s".formatted(subject, call)));
        return new Actor(method, arguments);
    }

    private static Stream<String> split(String text, String separator) {
        return Arrays.stream(text.split(separator)).map(String::strip).filter(part -> !part.isEmpty());
    }
}
