package io.delayjob.target;

import java.util.regex.Pattern;

/** Names of headers that belong to targets, in any case. One list for all kinds of targets. */
public final class ReservedHeaders {

    /** What frames an HTTP message. */
    private static final String FRAME =
            "host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-.*";

    /** What each call sets by itself. */
    private static final String CALL = "webhook-.*|delayjob-.*|idempotency-key|traceparent|tracestate";

    /** What authenticates or routes an HTTP message, or tells about its sender. */
    private static final String SENDER =
            "authorization|cookie|cookie2|set-cookie|http2-settings|via|forwarded|date|accept|origin|referer|user-agent"
                    + "|proxy-.*|x-forwarded-.*|x-real-ip";

    /** What identifies, types or traces a message: attributes of CloudEvents, its content type, and its trace. */
    private static final String EVENT =
            "ce[-_].*|cloudevents.*|content-?type|traceparent|tracestate|baggage|b3|x-b3-.*";

    /**
     * What brokers and Spring steer by. RabbitMQ routes by CC and BCC, its plugin delays by x-delay, and Spring's
     * converters read the class to create from names such as __TypeId__.
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

    /** Tells whether the configuration of an HTTP target may not set a header. */
    public static boolean ofCalls(String name) {
        return OF_CALLS.matcher(name).matches();
    }

    /** Tells whether a job may not state a header of a message on a broker. */
    public static boolean ofMessages(String name) {
        return OF_MESSAGES.matcher(name).matches();
    }

    /** Tells whether no target may allow its jobs to state a header. */
    public static boolean ofJobs(String name) {
        return OF_JOBS.matcher(name).matches();
    }
}
