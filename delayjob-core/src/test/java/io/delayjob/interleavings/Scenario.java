package io.delayjob.interleavings;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;

/**
 * The calls that one thread makes first, and the calls that several threads then make at the same time. Calls are
 * written as in Java, with numbers as arguments, such as {@code schedule(0, 1); cancel(0)}.
 */
public record Scenario(String before, List<String> threads) {

    /** Returns a scenario in which each thread makes the calls of one text, without calls before. */
    public static Scenario racing(String... threads) {
        return new Scenario("", List.of(threads));
    }

    /** Returns a copy of this scenario with calls that are made before. */
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
