package io.delayjob.messaging;

import io.delayjob.NamedJobs;
import io.delayjob.job.Scheduled;
import java.time.Duration;
import java.util.function.Function;
import org.springframework.messaging.Message;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends a received message again after a delay, for listeners that cannot process the message now:
 *
 * <pre>{@code
 * @RabbitListener(queues = "exports")
 * void export(Message<Export> message) {
 *     if (!limit.tryAcquire()) {
 *         delayed.redeliver("exports", message, Duration.ofSeconds(30));
 *         return;
 *     }
 *     ...
 * }
 * }</pre>
 *
 * <p>The message waits in the job tables and not in the broker, for any length of time. Meanwhile, its job can be found
 * and cancelled. Thread-safe.
 */
public final class DelayedMessages {

    private final NamedJobs jobs;
    private final JsonMapper mapper;
    private final Function<String, StatedHeaders> rules;

    DelayedMessages(NamedJobs jobs, JsonMapper mapper, Function<String, StatedHeaders> rules) {
        this.jobs = jobs;
        this.mapper = mapper;
        this.rules = rules;
    }

    /**
     * Schedules a job that sends the given message to a target. The job contains the body and the user's headers of the
     * message. The new message has its own id, and keeps the record key of Kafka. If the caller has a transaction on
     * the database of the job tables, the job is part of this transaction.
     *
     * <p>The job does not contain these headers of the message:
     *
     * <ul>
     *   <li>headers that are reserved for Spring, the broker or the target
     *   <li>{@code __TypeId__} and similar headers, which contain the name of a class
     *   <li>headers with a value of more than 4,000 characters
     *   <li>headers with a name that the target does not allow
     *   <li>headers with a value that cannot be converted to text
     * </ul>
     *
     * @param target name of a target on Kafka, RabbitMQ or JMS
     * @param message the message that the listener has received. A body of bytes must be JSON in UTF-8. A text with a
     *     JSON content type is sent unchanged. Any other text is sent as a JSON string. A body of any other type is
     *     written as JSON
     * @param delay zero or more
     * @return the job
     * @throws IllegalArgumentException if the body cannot be stored as JSON, or if the delay is negative. It is also
     *     thrown if the target belongs to this application and refuses the arguments
     */
    public Scheduled redeliver(String target, Message<?> message, Duration delay) {
        return jobs.schedule(target)
                .with(new ReceivedMessage(message, mapper, rules.apply(target)).arguments())
                .after(delay);
    }
}
