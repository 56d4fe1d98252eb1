package io.delayjob.messaging;

import io.delayjob.handler.JobContext;
import io.delayjob.target.OutgoingMessage;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of CloudEvents 1.0 in binary mode. Immutable.
 *
 * @param source origin of the events, a URI reference
 * @param prefix beginning of the attributes' names in the broker's protocol
 */
record CloudEvents(String source, String prefix) {

    static final String KAFKA = "ce_";

    /** For AMQP and JMS. This prefix has no colon, because JMS allows no colon in names. */
    static final String AMQP = "cloudEvents_";

    static String sourceOf(String application) {
        try {
            return new URI(null, null, application.isBlank() ? "/delayjob" : "/delayjob/" + application, null)
                    .toASCIIString();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible); // A path that begins with a slash is quoted.
        }
    }

    void addTo(Map<String, String> headers, String target, @Nullable String key, JobContext job) {
        headers.put(prefix + "specversion", "1.0");
        headers.put(prefix + "id", OutgoingMessage.idOf(job));
        headers.put(prefix + "source", source);
        headers.put(prefix + "type", target);
        headers.put(prefix + "time", job.plannedAt().toString());
        if (key != null) {
            headers.put(prefix + "partitionkey", key);
        }
    }
}
