package io.delayjob;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scheduling by name: the payload is given by parameter name; without one, just say when. Of a handler of this
 * application, what its parameters ask for may not be left out. Immutable.
 */
@CheckReturnValue
public interface NamedSpec extends ScheduleSpec {

    /** The handler's arguments by parameter name, as in {@code Map.of("orderId", 42)}. */
    ScheduleSpec with(Map<String, ? extends @Nullable Object> arguments);

    /**
     * The handler's arguments in the order of its parameters, written as the types that these declare. The handler must
     * be one of this application.
     */
    ScheduleSpec with(List<? extends @Nullable Object> arguments);
}
