package io.delayjob.target;

import java.util.regex.Pattern;

/**
 * Contains the names of forbidden headers. All of these headers are forbidden to the jobs of a target that uses {@link
 * JobHeaders}. Some are forbidden to jobs that send a message to a broker. Some are forbidden in the configuration of
 * an HTTP target. The names are not case-sensitive.
 */
public final class ReservedHeaders {

    private static final String FRAME =
            "host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-.*";

    private static final String CALL = "webhook-.*|delayjob-.*|idempotency-key|traceparent|tracestate";

    /** Headers that authenticate or route an HTTP message, or describe its sender. */
    private static final String SENDER =
            "authorization|cookie|cookie2|set-cookie|http2-settings|via|forwarded|date|accept|origin|referer|user-agent"
                    + "|proxy-.*|x-forwarded-.*|x-real-ip";

    /** Headers with the id, the type or the trace of a message, such as the attributes of CloudEvents. */
    private static final String EVENT =
            "ce[-_].*|cloudevents.*|content-?type|traceparent|tracestate|baggage|b3|x-b3-.*";

    /**
     * Headers that control brokers and Spring. RabbitMQ routes messages by the headers CC and BCC. A header such as
     * __TypeId__ contains the name of a class, and Spring creates an object of this class.
     */
    private static final String BROKER = "cc|bcc|jms.*|_amq_.*|__.*|spring_.*|kafka_.*|amqp_.*|x-delay"
            + "|x-((first-|last-)?death|delivery-count|exception-|original-).*";

    private static final Pattern OF_CALLS = any(FRAME, CALL);
    private static final Pattern OF_MESSAGES = any(EVENT, BROKER);
    private static final Pattern OF_JOBS = any(FRAME, CALL, SENDER, EVENT, BROKER);

    private ReservedHeaders() {}

    private static Pattern any(String... names) {
        return Pattern.compile(String.join("|", names), Pattern.CASE_INSENSITIVE);
    }

    /** Tells whether a header is forbidden in the configuration of an HTTP target. */
    public static boolean ofCalls(String name) {
        return OF_CALLS.matcher(name).matches();
    }

    /** Tells whether a header is forbidden to jobs that send a message to a broker. */
    public static boolean ofMessages(String name) {
        return OF_MESSAGES.matcher(name).matches();
    }

    /**
     * Tells whether a header is forbidden to the jobs of a target that uses {@link JobHeaders}, such as an HTTP target.
     */
    public static boolean ofJobs(String name) {
        return OF_JOBS.matcher(name).matches();
    }
}
