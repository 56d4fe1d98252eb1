package io.delayjob.autoconfigure;

import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.HistorySettings;
import io.delayjob.settings.QueueSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns properties into the settings of the engine. */
final class SettingsFactory {

    /** An incarnation has at most 255 characters: the instance id, '#' and a UUID. */
    private static final int MAX_INSTANCE_ID_LENGTH = 200;

    private static final Pattern KEY = Pattern.compile("(?<=^Invalid )delayjob\\.[a-z.-]+");

    private final RandomGenerator random;

    SettingsFactory(RandomGenerator random) {
        this.random = random;
    }

    EngineSettings settings(DelayJobProperties properties) {
        Map<String, QueueSettings> queues = new HashMap<>();
        properties.queues().forEach((name, queue) -> queues.put(name, queue(name, queue)));
        EngineSettings.Builder settings = EngineSettings.defaults(incarnation(properties)).toBuilder()
                .worker(properties.worker().enabled())
                .queues(queues)
                .maxQueues(properties.maxQueues())
                .partitions(properties.partitions())
                .leaseDuration(properties.lease().duration())
                .liveness(properties.liveness())
                .heartbeat(properties.heartbeat())
                .wheelTick(properties.wheel().tick())
                .maxJobs(properties.wheel().maxJobs())
                .window(properties.preload().window())
                .batchSize(properties.preload().batchSize())
                .sweepInterval(properties.sweep().interval())
                .sweepGrace(properties.sweep().grace())
                .adoptAfter(properties.sweep().adoptAfter())
                .claimLead(properties.claimLead())
                .retry(InvalidSettingException.checked("delayjob.retry", () -> policy(properties.retry())))
                .timeout(properties.timeout())
                .maxSnooze(properties.maxSnooze())
                .interruptGrace(properties.interruptGrace())
                .history(named(() -> history(properties.history(), properties.statistics())))
                .attempts(properties.attempts().mode())
                .payloadMaxSize(properties.payload().maxSize())
                .unreadablePayloadAfter(properties.unreadablePayloadAfter())
                .stopAwait(properties.shutdown().await());
        return named(settings::build);
    }

    private static <T> T named(Supplier<T> group) {
        try {
            return group.get();
        } catch (IllegalArgumentException refused) {
            String sentence = String.valueOf(refused.getMessage());
            Matcher key = KEY.matcher(sentence);
            throw new InvalidSettingException(key.find() ? key.group() : "delayjob", sentence);
        }
    }

    private static QueueSettings queue(String name, DelayJobProperties.Queue queue) {
        String key = "delayjob.queues." + name;
        InvalidSettingException.checked(key, () -> Handler.checkQueue(name));
        // Without the burst, so that the message names the right property.
        InvalidSettingException.checked(key + ".rate", () -> RateLimit.of(queue.rate(), null));
        RateLimit rate =
                InvalidSettingException.checked(key + ".burst", () -> RateLimit.of(queue.rate(), queue.burst()));
        return InvalidSettingException.checked(
                key + ".concurrency", () -> new QueueSettings(queue.concurrency(), queue.enabled(), rate));
    }

    /** Adds a random UUID, because a copy of the process must get another name. */
    private String incarnation(DelayJobProperties properties) {
        String id = properties.instanceId() == null
                ? hostName() + "-" + ProcessHandle.current().pid()
                : properties.instanceId();
        if (id.isBlank() || id.length() > MAX_INSTANCE_ID_LENGTH) {
            throw new InvalidSettingException(
                    "delayjob.instance-id",
                    "Invalid delayjob.instance-id '%s' (%d characters): must have 1 to %d characters and not be blank."
                            .formatted(id, id.length(), MAX_INSTANCE_ID_LENGTH));
        }
        return id + "#" + new UUID(random.nextLong(), random.nextLong());
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }

    private static RetryPolicy policy(DelayJobProperties.Retry retry) {
        return RetryPolicy.defaults()
                .maxRetries(retry.maxRetries())
                .delay(retry.delay())
                .multiplier(retry.multiplier())
                .maxDelay(retry.maxDelay())
                .jitter(retry.jitter());
    }

    private static HistorySettings history(
            DelayJobProperties.History history, DelayJobProperties.Statistics statistics) {
        return new HistorySettings(history.finished(), history.cancelled(), history.failed(), statistics.retention());
    }
}
