package io.delayjob.target;

import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.schedule.Stated;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * A target that the application implements itself, for systems that no module supports. Declare the target as a bean.
 * The jobs of a target take the arguments {@code body} and {@code headers}. Rules of the target, such as a timeout, can
 * be set below {@code delayjob.targets.<name>}. Immutable.
 *
 * <pre>{@code
 * @Bean
 * Target audit(StreamBridge bridge) {
 *     return Target.named("audit").sends(message -> bridge.send("audit-out", message.body()));
 * }
 *
 * jobs.schedule("audit").with(Map.of("body", entry)).after(ofDays(1));
 * }</pre>
 */
public final class Target {

    /** The argument {@code body}, which is any JSON value and may be missing. */
    public static final PayloadParameter BODY = new PayloadParameter("body", JsonBody.class, true);

    /** The argument {@code headers}, which is a {@code Map<String, String>} and may be missing. */
    public static final PayloadParameter HEADERS = new PayloadParameter(
            "headers",
            ResolvableType.forClassWithGenerics(Map.class, String.class, String.class)
                    .getType(),
            true);

    private final String name;
    private final Calling body;

    private Target(String name, Calling body) {
        this.name = name;
        this.body = body;
    }

    /** Begins the description of a target with this name, which is also the name of the target's jobs. */
    public static Named named(String name) {
        return new Named(Handler.checkName(name));
    }

    /** Returns the name of the target. */
    public String name() {
        return name;
    }

    Handler handler(Handler.Builder rules) {
        return rules.parameters(BODY, HEADERS).calls(new Body(name, body));
    }

    @Override
    public String toString() {
        return "target '" + name + "'";
    }

    /** A target that has a name, but no action yet. */
    public static final class Named {

        private final String name;

        private Named(String name) {
            this.name = name;
        }

        /** Makes a target that calls {@code body} in each attempt. When {@code body} returns, the run is done. */
        public Target sends(Sending body) {
            Stated.notNull(body, "body of target '" + name + "'", "must be the code that sends the message");
            return new Target(name, message -> {
                body.send(message);
                return null;
            });
        }

        /**
         * Makes a target that calls {@code body} in each attempt. The return value of {@code body} decides what happens
         * to the job next.
         */
        public Target calls(Calling body) {
            Stated.notNull(body, "body of target '" + name + "'", "must be the code that sends the message");
            return new Target(name, body);
        }
    }

    /** Sends a message. The method is called on several worker threads at a time. */
    @FunctionalInterface
    public interface Sending {

        /**
         * @throws Exception any exception is a failure of the attempt, and is retried unless it is a {@link
         *     RefusedByTargetException}
         */
        void send(OutgoingMessage message) throws Exception;
    }

    /**
     * Sends a message and tells what happens to the job next. The method is called on several worker threads at a time.
     */
    @FunctionalInterface
    public interface Calling {

        /**
         * @return {@code null}, a {@link io.delayjob.handler.Next}, or a {@link java.util.concurrent.CompletionStage}
         *     of either
         * @throws Exception any exception is a failure of the attempt, and is retried unless it is a {@link
         *     RefusedByTargetException}
         */
        @Nullable
        Object call(OutgoingMessage message) throws Exception;
    }

    private record Body(String target, Calling calling) implements JobHandler {

        @Override
        public @Nullable Object handle(List<@Nullable Object> arguments, JobContext job) throws Exception {
            JsonBody body = (JsonBody) arguments.get(0);
            return calling.call(
                    new OutgoingMessage(target, body == null ? null : body.json(), headers(arguments.get(1)), job));
        }

        @SuppressWarnings("unchecked") // The codec has read it as the parameter's type.
        private static Map<String, String> headers(@Nullable Object argument) {
            return argument == null ? Map.of() : (Map<String, String>) argument;
        }
    }
}
