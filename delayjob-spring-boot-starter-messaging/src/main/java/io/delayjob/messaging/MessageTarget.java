package io.delayjob.messaging;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.spring.CheckedBody;
import io.delayjob.target.JsonBody;
import io.delayjob.target.OutgoingMessage;
import io.delayjob.target.RefusedByTargetException;
import io.delayjob.target.Target;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sends one message for each attempt of a job. The run is done when the broker has confirmed the message. */
record MessageTarget(String name, CloudEvents events, StatedHeaders headers, BrokerSender sender)
        implements JobHandler {

    /** The argument {@code key} is the key of the record; the default is the key of the job. */
    static final List<PayloadParameter> PARAMETERS =
            List.of(Target.BODY, Target.HEADERS, new PayloadParameter("key", String.class, true));

    /**
     * If this instance does not know the target, a job may state any header, except those that every target forbids.
     */
    static StatedHeaders rule(@Nullable HandlerRegistry handlers, String target) {
        Handler handler = handlers == null ? null : handlers.find(target);
        return handler != null
                        && handler.body() instanceof CheckedBody checked
                        && checked.own() instanceof MessageTarget known
                ? known.headers()
                : StatedHeaders.ANY;
    }

    @Override
    public void check(List<@Nullable Object> arguments) {
        stated(arguments);
    }

    @SuppressWarnings("unchecked") // The codec has read it as the parameter's type.
    private Map<String, String> stated(List<@Nullable Object> arguments) {
        return headers.check((Map<String, @Nullable String>) arguments.get(1));
    }

    @Override
    public @Nullable Object handle(List<@Nullable Object> arguments, JobContext job) throws Exception {
        Map<String, String> all;
        try {
            all = stated(arguments);
        } catch (IllegalArgumentException refused) {
            throw new RefusedByTargetException("Target '%s' sent nothing: %s".formatted(name, refused.getMessage()));
        }
        JsonBody body = (JsonBody) arguments.get(0);
        String stated = (String) arguments.get(2);
        String key = stated == null ? job.key() : stated;
        events.addTo(all, name, key, job);
        return sender.send(new BrokerMessage(OutgoingMessage.idOf(job), key, body == null ? null : body.json(), all));
    }

    @Override
    public String toString() {
        return "target '" + name + "'";
    }
}
