package io.delayjob.schedule;

/**
 * Reads cron expressions. The core does not parse cron expressions itself. It finds implementations by {@link
 * java.util.ServiceLoader} and uses the first one. {@code delayjob-spring-boot-starter} brings Spring's.
 * Implementations are safe for use by many threads.
 */
@FunctionalInterface
public interface CronParser {

    /**
     * Reads an expression, for example {@code 0 0 3 * * *}.
     *
     * @throws IllegalArgumentException if it is not well formed
     */
    CronSequence parse(String expression);
}
