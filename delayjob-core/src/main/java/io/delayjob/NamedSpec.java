package io.delayjob;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Schedules by name. Arguments are given by parameter name. A job without a payload needs only a time. If the handler
 * belongs to this application, the arguments that its parameters require must be given. Immutable.
 */
@CheckReturnValue
public interface NamedSpec extends ScheduleSpec {

    /** Sets the handler's arguments by parameter name, as in {@code Map.of("orderId", 42)}. */
    ScheduleSpec with(Map<String, ? extends @Nullable Object> arguments);

    /**
     * Sets the handler's arguments in the order of its parameters. Each argument is written as the declared type of
     * its parameter. The handler must belong to this application.
     */
    ScheduleSpec with(List<? extends @Nullable Object> arguments);
}
