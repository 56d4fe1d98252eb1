package io.delayjob;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job that the caller schedules by the name of the handler. In this step, the caller may set the arguments. If the
 * handler belongs to this application, all required arguments must be set. Immutable.
 */
@CheckReturnValue
public interface NamedSpec extends ScheduleSpec {

    /** Sets the handler's arguments by parameter name, as in {@code Map.of("orderId", 42)}. */
    ScheduleSpec with(Map<String, ? extends @Nullable Object> arguments);

    /** Sets the handler's arguments in the order of its parameters. The handler must belong to this application. */
    ScheduleSpec with(List<? extends @Nullable Object> arguments);
}
