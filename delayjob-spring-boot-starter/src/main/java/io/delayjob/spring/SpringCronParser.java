package io.delayjob.spring;

import io.delayjob.schedule.CronParser;
import io.delayjob.schedule.CronSequence;
import org.springframework.scheduling.support.CronExpression;

/**
 * Parses cron expressions in Spring's format: six fields, beginning with seconds, or a macro such as {@code @daily}.
 */
public final class SpringCronParser implements CronParser {

    @Override
    public CronSequence parse(String expression) {
        return CronExpression.parse(expression)::next;
    }
}
