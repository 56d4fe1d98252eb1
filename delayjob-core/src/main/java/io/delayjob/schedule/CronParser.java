package io.delayjob.schedule;

/**
 * Reads cron expressions. The core uses the first implementation that {@link java.util.ServiceLoader} finds. {@code
 * delayjob-spring-boot-starter} contains an implementation for Spring's cron expressions. Implementations must be
 * thread-safe.
 */
@FunctionalInterface
public interface CronParser {

    /**
     * Reads an expression, for example {@code 0 0 3 * * *}.
     *
     * @throws IllegalArgumentException if the expression is not well formed
     */
    CronSequence parse(String expression);
}
