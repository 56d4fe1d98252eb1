package io.delayjob.internal.preload;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** The room of lanes, as a test says. */
final class GivenRoom {

    private GivenRoom() {}

    /** Each name has this room in every queue. */
    static Capacity of(ToIntFunction<String> room) {
        return (queue, names) -> of(names, room::applyAsInt);
    }

    static Map<String, Integer> of(Set<String> names, Function<String, Integer> room) {
        return names.stream().collect(Collectors.toMap(name -> name, room));
    }
}
